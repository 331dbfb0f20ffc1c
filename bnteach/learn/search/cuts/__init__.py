"""Cutting planes of the integer program: inequalities that every DAG obeys, and a solution does not."""
