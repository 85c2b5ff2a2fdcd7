"""Where runs are kept: open a workspace, save a run in it, find it again."""

from qaviz.store.bertscores import keep_bertscores, kept_bertscores
from qaviz.store.files import disk_refusals, growing_table, replacing
from qaviz.store.generated import (
    PASSAGES,
    checked_dataset_name,
    keep_generated,
    named_datasets,
    passages,
    renew_passages,
)
from qaviz.store.golden_versions import (
    GoldenVersion,
    keep_rejections,
    keep_version,
    kept_edits,
    kept_rejections,
    line_of,
    take_back_rejection,
    versions,
)
from qaviz.store.grades import KnownJudge, keep_grades, kept_grades, known_judges
from qaviz.store.index import INDEX_FILE, index_in_words, index_of, place_of, version_of
from qaviz.store.labels import (
    COMMENT,
    DRAWN,
    LABELLED_BY,
    find_shared_labels,
    keep_labels,
    kept_labels,
    labels_state,
    take_back_labels,
)
from qaviz.store.opening import WORKSPACE_VARIABLE, default_folder, open_backup, open_workspace
from qaviz.store.policies import keep_policy, kept_policy
from qaviz.store.views import SavedView, keep_view, kept_views, remove_view
from qaviz.store.workspace import Workspace, golden_id

__all__ = [
    "COMMENT",
    "DRAWN",
    "INDEX_FILE",
    "LABELLED_BY",
    "PASSAGES",
    "WORKSPACE_VARIABLE",
    "GoldenVersion",
    "KnownJudge",
    "SavedView",
    "Workspace",
    "checked_dataset_name",
    "default_folder",
    "disk_refusals",
    "find_shared_labels",
    "golden_id",
    "growing_table",
    "index_in_words",
    "index_of",
    "keep_bertscores",
    "keep_generated",
    "keep_grades",
    "keep_labels",
    "keep_policy",
    "keep_rejections",
    "keep_version",
    "keep_view",
    "kept_bertscores",
    "kept_edits",
    "kept_grades",
    "kept_labels",
    "kept_policy",
    "kept_rejections",
    "kept_views",
    "known_judges",
    "labels_state",
    "line_of",
    "named_datasets",
    "open_backup",
    "open_workspace",
    "passages",
    "place_of",
    "remove_view",
    "renew_passages",
    "replacing",
    "take_back_labels",
    "take_back_rejection",
    "version_of",
    "versions",
]
