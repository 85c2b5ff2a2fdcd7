"""Where runs are kept: open a workspace, save a run in it, find it again."""

from qaviz.store.files import replacing
from qaviz.store.workspace import Workspace, golden_id, open_workspace

__all__ = ["Workspace", "golden_id", "open_workspace", "replacing"]
