"""What a lesson calls: claims, the ledger, quizzes."""
