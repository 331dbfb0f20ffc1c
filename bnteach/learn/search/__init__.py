"""What several searches share: neighbourhood, constraints, parent sets, cutting planes, cooling."""
