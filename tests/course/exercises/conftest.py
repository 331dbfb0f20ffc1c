"""Which sandboxes this machine offers is tried once, and only if a test needs one."""

from __future__ import annotations

import pytest

from bnteach.course.exercises.grading.sandboxes import refused


@pytest.fixture(scope="session")
def namespaces() -> None:
    """Needed by what grades."""
    if why := refused("namespaces"):
        pytest.skip(f"no namespaces here: {why}")


@pytest.fixture(scope="session")
def bubblewrapped() -> None:
    """Needed by what grades in bubblewrap."""
    if why := refused("bubblewrap"):
        pytest.skip(f"no bubblewrap here: {why}")
