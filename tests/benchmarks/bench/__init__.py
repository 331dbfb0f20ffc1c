"""`make bench`: how long bnteach and its peers take for the same work, measured in one run.

    data.py          the data: songs, ALARM, random networks, wine
    works.py         the works: PC, Chow-Liu, hill climbing ... on these data
    contestants.py   how each library does each work: from a DataFrame in memory to a list of edges
    measure.py       one work by one library in a process of its own: CPU seconds, peak memory, and the graph
    run.py           all works by all libraries
    report.py        the table, the CSV file
    growth.py        pictures of growth with rows and with variables
    goals.py         how fast bnteach means to be

A run that is kept is in bnteach/course/pages/bench: measured.csv, measured.md and growth.svg, shown in README.md and on
the web site. `make bench ARGS=--keep` replaces it.

A time is CPU seconds of one thread, the median of the repeats, from a table in memory to a graph. Beside it stands
how good the result is (BIC in nats, F1 of the skeleton), since a quick answer to another question is no answer.
"""
