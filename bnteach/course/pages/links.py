"""Broken links: every link within a folder of pages whose target does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The ids of a page, and the targets of its links."""

    def __init__(self, path: Path):
        super().__init__()
        self.ids: set[str] = set()
        self.targets: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.ids.update(value for name in ("id", "name") if (value := found.get(name)))
        self.targets += [value for name in ("href", "src") if (value := found.get(name)) is not None]


def broken_links(folder: Path, names: Iterable[str] | None = None) -> list[str]:
    """Every link to a file or an id that does not exist, as "page: target"; `names` are the pages, by default all."""
    paths = sorted(folder.rglob("*.html")) if names is None else [folder / name for name in names]
    pages = {path.resolve(): _Page(path) for path in paths}
    return [f"{path.relative_to(folder.resolve()).as_posix()}: {target}"
            for path, page in pages.items() for target in page.targets if not _exists(path, target, folder, pages)]


def _exists(path: Path, target: str, folder: Path, pages: dict[Path, _Page]) -> bool:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:  # an external link, which is not checked
        return True
    to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not to.is_file() or not to.is_relative_to(folder.resolve()):
        return False
    return not parts.fragment or to not in pages or unquote(parts.fragment) in pages[to].ids
