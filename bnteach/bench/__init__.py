"""`bnteach bench`: how long bnteach and its peers take for the same work, measured in one run.

    works.py         the data and the works: songs, ALARM, wine; PC, Chow-Liu, hill climbing ...
    contestants.py   how each library does each work: from a DataFrame in memory to a list of lines
    measure.py       one work by one library in a process of its own: CPU seconds, peak memory, and the graph
    report.py        the table, the CSV file, the picture of growth

A time is CPU seconds of one thread, the median of the repeats, from a table in memory to a graph. Beside it stands
how good the result is (BIC in nats, F1 of the skeleton), since a quick answer to another question is no answer.
"""
