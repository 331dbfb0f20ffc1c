"""Pictures of growth: how CPU time grows with the number of rows, and with the number of variables."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.bench.works import TASKS

Points = dict[str, list[tuple[int, float]]]  # library -> (size, seconds)


def growth(rows: list[dict[str, Any]]) -> Any:
    """Two rows of panels, a panel for each task: rows of songs, variables of random networks.

    None where matplotlib is missing, or nothing grew.
    """
    try:
        import matplotlib as _  # noqa: F401

        from bnteach.course.supplements.figures import figure
        from bnteach.course.supplements.plots import DASHES, MARKERS, canvas
        from bnteach.show.style import SERIES
    except ImportError:
        return None
    panels = [(what, task, points) for what in ("rows", "variables") for task, points in _panels(rows, what).items()]
    if not panels:
        return None
    wide = max(sum(what == one for what, _, _ in panels) for one in ("rows", "variables"))
    high = len({what for what, _, _ in panels})
    fig, axes = canvas(3.7 * wide, 3.3 * high, rows=high, columns=wide)
    axes = [axes] if wide == high == 1 else list(axes.flat)
    libraries = list(dict.fromkeys(row["library"] for row in rows))
    curves = {}
    for ax, (what, task, points) in zip(axes, panels):
        for name, of_name in points.items():
            i = libraries.index(name) % 8
            (curves[name],) = ax.loglog(*zip(*of_name), color=SERIES[i], marker=MARKERS[i], linestyle=DASHES[i])
        sizes = sorted({size for of_name in points.values() for size, _ in of_name})
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.minorticks_off()
        ax.set_title(TASKS[task])
        ax.set_xlabel("playlists of 20 songs" if what == "rows" else "variables (10,000 rows)")
    for ax in axes[len(panels):]:
        ax.set_visible(False)
    for ax in axes[::wide]:
        ax.set_ylabel("CPU seconds")
    fig.legend(list(curves.values()), list(curves), loc="outside lower center", ncols=len(curves))
    others = ", ".join(name for name in libraries if name != "bnteach")
    return figure(fig, "CPU seconds against the number of rows and of variables, a panel for each of "
                       f"{', '.join(dict.fromkeys(TASKS[task] for _, task, _ in panels))}; bnteach"
                       + (f" beside {others}" if others else ""))


def _panels(rows: list[dict[str, Any]], what: str) -> dict[str, Points]:
    """task -> library -> points, of works that were done at two sizes or more."""
    panels: dict[str, Points] = {}
    for row in rows:
        grows = row.get("data") == "songs" if what == "rows" else str(row.get("data", "")).endswith(" variables")
        if grows and row.get("cpu_seconds"):
            panels.setdefault(row["task"], {}).setdefault(row["library"], []).append((row[what], row["cpu_seconds"]))
    return {task: points for task, points in panels.items()
            if len({size for of_name in points.values() for size, _ in of_name}) > 1}
