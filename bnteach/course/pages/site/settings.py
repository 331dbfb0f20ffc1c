"""The configuration of Sphinx, which a conf.py would hold."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import bnteach

HERE = Path(__file__).parent
TITLE = "bnteach"
DESCRIPTION = ("A course on learning the structure of Bayesian networks from data, step by step: lessons with players "
               "and questions, practice, exercises, and the readable Python library behind them.")


def settings() -> dict[str, Any]:
    """All settings that differ from Sphinx's own."""
    return {
        "project": TITLE, "author": "The bnteach maintainers", "version": bnteach.__version__,
        "extensions": ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode",
                       "sphinx_copybutton", "sphinx_book_theme", "sphinxext.opengraph",
                       "bnteach.course.pages.site.extension"],
        "html_title": TITLE, "html_theme": "sphinx_book_theme", "html_theme_options": theme_options(),
        "html_static_path": [str(HERE / "static")], "templates_path": [str(HERE / "templates")],
        "html_css_files": ["site.css"], "html_js_files": [("site.js", {"defer": "defer"})],
        "html_favicon": str(HERE / "static" / "favicon.svg"), "html_context": {"default_mode": "auto"},
        "html_show_sphinx": False, "html_show_copyright": False, "html_use_index": False,
        "html_math_renderer": "mathml", "html_sidebars": {"**": ["navbar-logo.html", "search-button-field.html",
                                                                 "sbt-sidebar-nav.html"]},
        "nb_execution_mode": "off", "nb_ipywidgets_js": {}, "nb_merge_streams": True, "nb_remove_code_source": False,
        "myst_enable_extensions": ["amsmath", "deflist", "dollarmath"], "myst_dmath_double_inline": True,
        "myst_heading_anchors": 4, "myst_heading_slug_func": "bnteach.course.pages.site.extension.heading_id",
        "myst_update_mathjax": False, "myst_links_external_new_tab": False,
        "smartquotes": False, "default_role": "code", "highlight_language": "none", "language": "en",
        "copybutton_selector": "div.cell_input pre, div.highlight-python pre, div.highlight-default pre",
        "copybutton_prompt_text": r">>> |\.\.\. |\$ ", "copybutton_prompt_is_regexp": True,
        "autodoc_typehints": "signature", "autodoc_typehints_format": "short", "autodoc_member_order": "bysource",
        "python_use_unqualified_type_names": True, "add_module_names": False,
        "napoleon_google_docstring": False, "napoleon_use_rtype": False,
        "napoleon_use_ivar": True, "toc_object_entries_show_parents": "hide",
        "ogp_site_url": addresses()["site"], "ogp_site_name": TITLE, "ogp_social_cards": {"enable": False},
        "ogp_enable_meta_description": True,
    }


def theme_options() -> dict[str, Any]:
    """The options of sphinx-book-theme."""
    known = addresses()
    elsewhere = {"repository_url": known["repository"], "repository_branch": known["branch"], "path_to_docs": "lessons",
                 "use_repository_button": True,
                 "launch_buttons": {"binderhub_url": known["binder"], "colab_url": known["colab"],
                                    "notebook_interface": "jupyterlab"}} if known["repository"] else {}
    return {
        **elsewhere,
        "navbar_persistent": [], "use_fullscreen_button": False, "use_download_button": True,
        "show_toc_level": 2, "toc_title": "On this page", "show_navbar_depth": 1, "home_page_in_toc": False,
        "logo": {"text": TITLE}, "search_bar_text": "Search lessons, terms, figures",
        "pygments_light_style": "a11y-high-contrast-light", "pygments_dark_style": "a11y-high-contrast-dark",
    }


@cache
def addresses() -> dict[str, str]:
    """Where the course is on the web: bnteach/course/addresses.toml, in which all may be empty."""
    return tomllib.loads(Path(__file__).parents[2].joinpath("addresses.toml").read_text(encoding="utf-8"))
