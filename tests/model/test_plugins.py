"""What installed packages add to qaviz."""

import sys

import pytest

from qaviz.model import plugins
from qaviz.model.errors import QavizError
from qaviz.model.metrics import Metric

MODULE = """
from qaviz.model.metrics import Band, Metric
length = Metric(name="length", label="Length", question="How long?", bands=(Band(0.0, "short"),), caveat="None.")
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """A function that puts a package with one entry point of `qaviz.metrics` where Python finds packages."""

    def write(points: str):
        (tmp_path / "plugin_of_a_test.py").write_text(MODULE, "utf-8")
        info = tmp_path / "plugin_of_a_test-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin-of-a-test\nVersion: 1.0\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[qaviz.metrics]\n{points}\n", "utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "plugin_of_a_test", raising=False)

    plugins._read_points.cache_clear()
    yield write
    plugins._read_points.cache_clear()


def test_an_installed_package_adds_its_record(install):
    """What an entry point names is there, by its group alone."""
    install("length = plugin_of_a_test:length")
    assert [metric.name for metric in plugins.load_plugins("qaviz.metrics", Metric)] == ["length"]
    assert plugins.load_plugins("qaviz.readers", Metric) == ()


@pytest.mark.parametrize(
    ("point", "found"),
    [
        ("bad = plugin_of_a_test:missing", "AttributeError"),
        ("bad = no_such_module:x", "ModuleNotFoundError"),
        ("bad = plugin_of_a_test:Band", "type"),
    ],
)
def test_a_broken_package_is_named(install, point, found):
    """A package that cannot be imported, or names something else, is an error that a person can mend."""
    install(point)
    with pytest.raises(QavizError, match="bad") as error:
        plugins.load_plugins("qaviz.metrics", Metric)
    assert found in str(error.value)
