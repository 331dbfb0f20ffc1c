"""What a lesson calls: claims, the ledger, quizzes, the source of an algorithm."""
