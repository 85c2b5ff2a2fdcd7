"""What pages share. With pages/, the only place that knows Streamlit.

`open_page` gives a page its frame and its run, `pick_...` what the reader chose, `show_...` draws. A chart goes through
`show_chart(figure, key=, name=, alt=, data=, about=about_run(run, filters))`, which adds its downloads. Texts from
files are drawn as text alone: by Streamlit's text and dataframe elements, or by our own components, which set
textContent.
"""

from qaviz.ui import address
from qaviz.ui.agreement import show_labels
from qaviz.ui.audit import show_audit
from qaviz.ui.bertscore import add_bertscore, show_bertscore
from qaviz.ui.cached import judged_by, matrix_of, over_repeats, passing, said_of, steps_of, summary_of
from qaviz.ui.chart import about_run, show_chart
from qaviz.ui.closeness import pick_split, show_closeness, show_regions
from qaviz.ui.compare import (
    pick_metric,
    pick_pair,
    show_categories,
    show_comparison,
    show_figures,
    show_lacking,
    show_tradeoff,
)
from qaviz.ui.consistency import show_consistency
from qaviz.ui.curating import CurationView, open_golden, pick_curation, show_outcome, show_state
from qaviz.ui.deciding import show_deciding
from qaviz.ui.decision_pack import offer_decision_pack
from qaviz.ui.filters import pick, pick_filters, pick_listed
from qaviz.ui.findings import pick_findings, show_findings
from qaviz.ui.flywheel import show_next_edits, show_versions
from qaviz.ui.frame import navigate, offer_run, open_frame, open_frame_of_run, open_page, pick_run, to_overview
from qaviz.ui.golden_editor import edit_by_hand
from qaviz.ui.golden_history import show_history
from qaviz.ui.history import open_past, pick_followed, show_past
from qaviz.ui.importing import offer_import, show_import
from qaviz.ui.ledger import show_ledger
from qaviz.ui.mapping import map_columns, show_profiles
from qaviz.ui.matrix import show_matrix
from qaviz.ui.panels import Panel, pick_panels
from qaviz.ui.person import pick_person
from qaviz.ui.pipelines import show_pipelines, show_steps
from qaviz.ui.policy import show_policy
from qaviz.ui.prose import show_sentences
from qaviz.ui.questions import pick_question
from qaviz.ui.responses import pick_responses, show_mix, show_responses
from qaviz.ui.run_card import show_done, show_record
from qaviz.ui.runs import RunsView, all_runs, pick_runs_view, show_runs
from qaviz.ui.text import metrics_help
from qaviz.ui.their_scores import show_their_scores
from qaviz.ui.thresholds import pick_thresholds, show_moves, tried_thresholds
from qaviz.ui.upload import load_sample, open_new, pick_files, show_listed
from qaviz.ui.verification import show_verification
from qaviz.ui.words import show_words

__all__ = [
    "CurationView",
    "Panel",
    "RunsView",
    "about_run",
    "add_bertscore",
    "address",
    "all_runs",
    "edit_by_hand",
    "judged_by",
    "load_sample",
    "map_columns",
    "matrix_of",
    "metrics_help",
    "navigate",
    "offer_decision_pack",
    "offer_import",
    "offer_run",
    "open_frame",
    "open_frame_of_run",
    "open_golden",
    "open_new",
    "open_page",
    "open_past",
    "over_repeats",
    "passing",
    "pick",
    "pick_curation",
    "pick_files",
    "pick_filters",
    "pick_findings",
    "pick_followed",
    "pick_listed",
    "pick_metric",
    "pick_pair",
    "pick_panels",
    "pick_person",
    "pick_question",
    "pick_responses",
    "pick_run",
    "pick_runs_view",
    "pick_split",
    "pick_thresholds",
    "said_of",
    "show_audit",
    "show_bertscore",
    "show_categories",
    "show_chart",
    "show_closeness",
    "show_comparison",
    "show_consistency",
    "show_deciding",
    "show_done",
    "show_figures",
    "show_findings",
    "show_history",
    "show_import",
    "show_labels",
    "show_lacking",
    "show_ledger",
    "show_listed",
    "show_matrix",
    "show_mix",
    "show_moves",
    "show_next_edits",
    "show_outcome",
    "show_past",
    "show_pipelines",
    "show_policy",
    "show_profiles",
    "show_record",
    "show_regions",
    "show_responses",
    "show_runs",
    "show_sentences",
    "show_state",
    "show_steps",
    "show_their_scores",
    "show_tradeoff",
    "show_verification",
    "show_versions",
    "show_words",
    "steps_of",
    "summary_of",
    "to_overview",
    "tried_thresholds",
]
