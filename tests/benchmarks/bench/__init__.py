"""`make bench`: how long bnteach and other libraries take for the same work, measured in one run.

    data.py          the data: songs, ALARM, insurance, hailfinder, random networks, wine
    works.py         the works: PC, Chow-Liu, hill climbing ... on these data
    libraries/       how each library does each work, a file each
    inputs.py        what every library is given: rows, a network, queries
    measure.py       one work by one library in a process of its own: CPU seconds, peak memory, and the answer
    quality.py       how good the answer is
    run.py           all works by all libraries
    versions.py      an older version of bnteach beside this one
    report.py        tables
    growth.py        pictures of growth with rows and with variables
    goals.py         how fast bnteach means to be
    kept.py          the run that is kept in bnteach/course/pages/bench, and the README's table

A time is CPU seconds of one thread, the median of the repeats, from rows in memory to a graph. Beside it stands how
good the result is (BIC in nats, F1 of the skeleton, structural Hamming distance), since a quick answer to another
question is no answer.
"""
