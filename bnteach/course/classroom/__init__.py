"""A class instead of one student: the instructor's files, handing out, handing in, collecting.

    scaffold.py      the files of an instructor's own repository        bnteach class init
    environment.py   the students' environment, from environment.yml
    exchange.py      the folder between instructor and students         bnteach class release
    fetch.py         lessons and exercises in a student's home          bnteach class fetch
    hand_in.py       one notebook, dropped whole or not at all          bnteach class hand-in
    attempts.py      what lies in the exchange: whose, when, odd or not
    collect.py       all attempts kept, the newest laid out to grade    bnteach class collect
    returning.py     each student's feedback page, for a mail merge     bnteach class return
    totals.py        the term's table; files for Moodle and Canvas      bnteach class totals

Nothing here needs JupyterHub or nbgrader, and neither is needed to use the library or the lessons.
"""
