"""BERTScore of responses: what the workspace has is read, what is missing is computed and kept."""

import polars as pl

from qaviz.model.columns import ANSWER, BERTSCORE, RESPONSE, UNSCORED_ANSWER
from qaviz.model.records import Progress
from qaviz.processes import Cancelled
from qaviz.scoring.bertscore import best_scores, check_library, score_pairs, text_pairs
from qaviz.scoring.bertscore_worker import PAIR
from qaviz.scoring.language_models import LanguageModel
from qaviz.store import Workspace, keep_bertscores, kept_bertscores


def with_bertscore(workspace: Workspace, rows: pl.DataFrame, model: LanguageModel) -> pl.DataFrame:
    """Return a run's rows with `bertscore` (Float64), as far as the workspace has it; null where it does not.

    Rows without an answer score never have one: `unscored_answer` says why.
    """
    pairs = text_pairs(rows)
    kept = kept_bertscores(workspace, model.key, pairs[PAIR])
    return rows.with_columns(best_scores(pairs, kept, rows.height))


def compute_bertscore(
    workspace: Workspace,
    rows: pl.DataFrame,
    model: LanguageModel,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> int:
    """Compute the pairs of texts of these rows that the workspace lacks, and keep each as it comes.

    Returns how many there were. Raises QavizError where bert_score is not installed or the disk refuses,
    CancelledError when `cancelled` said so: what is done by then is kept.
    """
    check_library()
    pairs, key = text_pairs(rows), model.key
    lacking = pairs.unique(PAIR).join(kept_bertscores(workspace, key, pairs[PAIR]), on=PAIR, how="anti")
    if not lacking.is_empty():
        score_pairs(lacking, model, lambda scores: keep_bertscores(workspace, key, scores), progress, cancelled)
    return lacking.height


def lacking_bertscore(rows: pl.DataFrame) -> int:
    """How many of these rows, as `with_bertscore` returns them, could have a BERTScore and do not yet."""
    could = [pl.col(UNSCORED_ANSWER).is_null(), pl.col(ANSWER).is_not_null(), pl.col(RESPONSE).is_not_null()]
    return rows.filter(pl.col(BERTSCORE).is_null(), *could).height
