"""Graphs: directed (dag), partially directed (pdag), and what can be asked of them."""
