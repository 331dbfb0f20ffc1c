"""What each algorithm reports, one file per algorithm."""
