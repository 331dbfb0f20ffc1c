"""What an exercise and its grader call."""
