"""Seeing: pictures of graphs, players of traces, knobs, plots, source code. The only room that draws.

Graphviz, matplotlib and ipywidgets are loaded when something is drawn with them, never at import.
"""
