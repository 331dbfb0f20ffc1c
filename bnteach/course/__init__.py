"""The course: the ledger of claims, quizzes, and what else turns lessons into a course."""
