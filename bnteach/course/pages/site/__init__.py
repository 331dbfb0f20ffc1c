"""The course as a web site: static pages, for any server or for a local folder.

    bnteach site               -> site/index.html and the rest

Sphinx builds it, with myst-nb (notebooks as pages) and sphinx-book-theme. Ours are:

    build.py       the notebooks and our own pages go to a folder of sources, and Sphinx runs on it
    settings.py    the configuration of Sphinx
    extension.py   formulas as MathML, the list that is searched, what the theme lacks
    pages.py       the first page, practice, the ledger, the speed
    book.py        all pages as one PDF
    static/, templates/    style, search, icons

Nothing is fetched: the pages open from a file:// address, and stored outputs are shown, never computed again.
"""

from bnteach.course.pages.site.build import SiteError, write_site

__all__ = ["SiteError", "write_site"]
