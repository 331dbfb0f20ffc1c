"""A class instead of one student. nbgrader hands out, hands in, collects and returns; here is what it lacks.

    scaffold.py      the files of an instructor's own repository        bnteach class init
    environment.py   the class's environment: every version, and bnteach's own wheel
    lessons.py       the lessons in a student's home                    bnteach class lessons
    exchange.py      nbgrader's settings; exercises without solutions   bnteach class release
    plugin.py        parts of nbgrader's exchange that trust nobody     nbgrader collect, nbgrader submit
    inbound.py       what lies in the exchange: whose, when, odd or not
    kept.py          all attempts kept, and the one that is graded
    gradebook.py     marks into nbgrader's gradebook                    bnteach class gradebook
    returning.py     each student's feedback page                       bnteach class return
    totals.py        the term's table; files for Moodle and Canvas      bnteach class totals
    requests.py      students ask for another look at a mark            bnteach class ask, requests, answer
    solutions.py     solutions, once the deadline is over               bnteach class solutions
    privacy.py       what is kept of students, and where                bnteach class privacy
    deleting.py      deleting it                                        bnteach class delete

Only plugin.py imports nbgrader when it is loaded, and only nbgrader loads it. Nothing here is needed to use the
library or the lessons.
"""
