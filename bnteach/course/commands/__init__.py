"""One file a command of `bnteach`; cli.py lists them."""
