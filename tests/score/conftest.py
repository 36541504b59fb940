"""The small panel."""

import pytest

from lanterns_env.score import panel, protocol
from tests.score.small import DEALS, MEMBERS, TABLES, panel_now, write


@pytest.fixture
def small(monkeypatch, tmp_path):
    """The small panel in place of the one of the package."""
    monkeypatch.setattr(protocol, "MEMBERS", MEMBERS)
    monkeypatch.setattr(protocol, "TABLES", TABLES)
    monkeypatch.setattr(protocol, "DEALS", DEALS)
    monkeypatch.setattr(panel, "FILE", tmp_path / "panel.json")
    own = panel_now()
    write(panel.FILE, own)
    panel.installed.cache_clear()
    yield own
    panel.installed.cache_clear()
