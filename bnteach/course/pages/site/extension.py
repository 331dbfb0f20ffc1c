"""What Sphinx does not do itself: formulas as MathML, the list that is searched, tidying up."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from bnteach.course.lessons.glossary import terms
from bnteach.course.pages.cells import plain, relinked, slug, words_left
from bnteach.course.pages.formulas import in_html, mathml
from bnteach.course.pages.site.pages import ledger_sections
from bnteach.trace import Stepwise

BLOCKS = (nodes.paragraph, nodes.list_item, nodes.entry, nodes.term, nodes.definition, nodes.literal_block)


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_block, None))
    app.connect("builder-inited", _own_search)
    app.connect("autodoc-process-signature", _readable_signature)
    app.connect("doctree-read", _complete_html)
    app.connect("doctree-read", _link_terms)
    app.connect("doctree-resolved", _collect)
    app.connect("html-page-context", _buttons, priority=900)
    app.connect("html-collect-pages", _python_is_highlighted, priority=100)
    app.connect("build-finished", _finish)
    app.searched = []  # type: ignore[attr-defined]
    return {"parallel_read_safe": False, "parallel_write_safe": False}


def heading_id(title: str) -> str:
    """The id of a heading, by which other pages link to it."""
    return slug(title, {})


# -- formulas, and the HTML of outputs -----------------------------------------------------------------------
def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="formula">{mathml(node.astext(), display=True)}</div>')
    raise nodes.SkipNode


def _complete_html(app: Sphinx, doctree: nodes.document) -> None:
    """In the HTML of a notebook: formulas, links to other lessons, columns of words."""
    if app.env.doc2path(app.env.docname).suffix != ".ipynb":
        return
    for node in doctree.findall(nodes.raw):
        if node["format"] == "html":
            text = relinked(in_html(words_left(node.astext())), lambda url: url.replace(".ipynb", ".html"))
            node.children = [nodes.Text(text)]


# -- signatures of the library --------------------------------------------------------------------------------
ARRAY_LIKE = re.compile(r"[\w.~]*_Buffer \| .*?_NestedSequence\[complex \| bytes \| str\]")  # as numpy spells it out


def _readable_signature(app: Sphinx, what: str, name: str, value: Any, options: Any,
                        arguments: str | None, returned: str | None) -> tuple[str | None, str | None]:
    """The signature as a caller reads it: defaults that can be read, and the Result that a learner returns."""
    if arguments:
        arguments = re.sub(r"<function (\w+)>", r"\1", arguments).replace("<factory>", "...")
        arguments = re.sub(r"(?<= = )\((?:'[^']*', ){9,}'[^']*'\)", "...", arguments)
        arguments = _short_arrays(arguments)
    if isinstance(value, Stepwise) and returned:
        returned = re.sub(r"^\S*Generator\[\S*Step, None, (.*)\]$", r"\1", returned)
        returned = returned if "Result" in returned else f"~bnteach.trace.Result[{returned}]"
    return arguments, _short_arrays(returned) if returned else returned


def _short_arrays(signature: str) -> str:
    signature = ARRAY_LIKE.sub("~numpy.typing.ArrayLike", signature)
    return re.sub(r"ndarray\[\S*tuple\[\S*Any, \.\.\.\], \S*?dtype\[\S*?\]\]", "ndarray", signature)


# -- the glossary --------------------------------------------------------------------------------------------
def _link_terms(app: Sphinx, doctree: nodes.document) -> None:
    """In a lesson, the first mention of each term that has been introduced is a link to the glossary.

    A term with a capital is one only with it: GES's Turn is, "in turn" is none.
    """
    if not re.match(r"\d\d_", app.env.docname):
        return
    left = {name.casefold(): name for name, term in terms().items() if term.lesson <= app.env.docname[:2]}
    names = "|".join(map(re.escape, sorted(left, key=len, reverse=True)))
    words = re.compile(rf"(?<![\w-])({names})(?![\w-])", re.IGNORECASE)
    for text in list(doctree.findall(nodes.Text)):
        if not isinstance(text.parent, nodes.paragraph) or _is_output(text.parent):
            continue
        pieces: list[nodes.Node] = []
        for i, piece in enumerate(words.split(str(text))):
            is_term = i % 2 and not (piece[0].islower() and left.get(piece.casefold(), "")[:1].isupper())
            name = left.pop(piece.casefold(), None) if is_term else None
            pieces.append(_term(name, piece) if name else nodes.Text(piece))
        if len(pieces) > 1:
            text.parent.replace(text, pieces)


def _is_output(node: nodes.Element | None) -> bool:
    return node is not None and ("cell_output" in node.get("classes", ()) or _is_output(node.parent))


def _term(name: str, text: str) -> nodes.Node:
    return addnodes.pending_xref("", nodes.inline(text, text, classes=["glossary-term"]), refdomain="std",
                                 reftype="term", reftarget=name, refexplicit=True, refwarn=True)


# -- search --------------------------------------------------------------------------------------------------
def _own_search(app: Sphinx) -> None:
    app.builder.search = False


def _collect(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Note every section of a page: what is searched."""
    page = app.builder.get_target_uri(docname)
    of = plain(app.env.titles[docname].astext())
    for section in doctree.findall(nodes.section):
        text = " ".join(map(_words, (child for child in section.children[1:] if not isinstance(child, nodes.section))))
        app.searched.append(_record(page, section["ids"][0], of, _words(section[0]), text))
    for item in doctree.findall(nodes.definition_list_item):
        if docname == "glossary":
            app.searched.append(_record(page, item[0]["ids"][0], of, item[0].astext(), _words(item[-1])))
    for object in doctree.findall(addnodes.desc):
        if ids := object[0].get("ids"):
            app.searched.append(_record(page, ids[0], of, f"bn.{object[0]['fullname']}", _words(object[-1])))


def _record(page: str, at: str, of: str, title: str, text: str) -> dict[str, str]:
    return {"page": page, "at": at, "lesson": of, "title": title, "text": re.sub(r"\s+", " ", text).strip()}


def _words(node: nodes.Node) -> str:
    """The words of a page below a node. Of outputs, only the questions of quizzes; never their answers."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, nodes.math | nodes.math_block):
        return plain(mathml(node.astext()))
    if isinstance(node, nodes.raw):
        return _questions(node.astext()) if "bnteach-quiz" in node.astext() else ""
    if isinstance(node, addnodes.desc | addnodes.glossary):
        return ""
    if "cell_input" in node.get("classes", ()) or "output" in node.get("classes", ()):
        return ""
    return "".join(map(_words, node.children)) + (" " if isinstance(node, BLOCKS) else "")


def _questions(html: str) -> str:
    return plain(re.sub(r"(?s)</summary>.*?</details>", " ", html))


# -- the frame of a page -------------------------------------------------------------------------------------
def _buttons(app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Only a notebook is worth a download."""
    if not context.get("sourcename", "").endswith(".ipynb"):
        context["header_buttons"] = []


def _python_is_highlighted(app: Sphinx) -> list[Any]:
    """On the pages that show the library's source, which come last; in prose, a block without a language is no code."""
    app.config.highlight_language = "python"
    return []


def _finish(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.name != "html":
        return
    out = Path(app.outdir)
    data = json.dumps(app.searched + ledger_sections(), ensure_ascii=False, separators=(",", ":"))
    (out / "_static" / "sections.js").write_text(f"const SECTIONS = {data};\n", encoding="utf-8", newline="\n")
    for file in [*out.glob("_static/**/*.map"), *out.glob("_sources/**/*.md"), *out.glob("_sources/**/*.rst"),
                 out / "objects.inv", out / "_modules" / "index.html"]:  # the last: nothing leads there
        file.unlink(missing_ok=True)
