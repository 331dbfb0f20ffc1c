"""One file per command of `bnteach`; main.py lists them."""
