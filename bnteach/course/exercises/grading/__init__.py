"""Grading: submissions, the sandbox in which their code runs, and the judge, who never runs any of it."""
