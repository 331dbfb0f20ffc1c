"""Bad submissions, each named for its sin, and tools to make submissions."""
