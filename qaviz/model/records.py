"""Records that are looked at one by one: runs, criteria, thresholds, where a run comes from."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from qaviz.model.classes import Measure

Progress = Callable[[float, str], None]
"""What long work calls with the fraction done (0 to 1) and what it is doing, in words."""


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Where scores turn into diagnoses. Saved with the run; the user may move them."""

    high_closeness: float = 0.7
    """Recall from which an answer without the fact reads as a hallucination: all the golden words are there but it."""
    low_conciseness: float = 0.3
    """Precision below which a correct response is verbose."""
    accidental_context: float = 0.0
    """Context recall up to which a stated fact counts as an accidental match."""
    same_meaning: float = 0.9
    """BERTScore from which a response that qaviz leaves unsure counts as right. No labels to choose it by."""
    unsure_below: float = 0.55
    """Probability that a person agrees below which a verdict is `unsure`."""
    open_below: float = 0.8
    """The same below which a row is open: a judge's or a person's word decides it, and up to .1 above if it differs."""


JUDGED_BY = "; judge "
"""What stands in a run's engine between the scorer and the judge that was heard."""


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """What a pipeline has to reach on the questions of a category, of a tag, or on all of them."""

    measure: Measure
    bound: float
    """From 0 to 1: the least that will do, or the most where less is better."""
    category: str | None = None
    tag: str | None = None
    than: str | None = None
    """Of a guardrail: the pipeline than which it may be worse by the bound; None where the bound stands alone."""
    score: str | None = None
    """Of `Measure.SCORE`: the name of the score."""

    @property
    def name(self) -> str:
        """What it measures, in a word: the measure's, or the score's."""
        return self.score or self.measure.value


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """What was agreed beside the criteria, and when, for one run."""

    smallest_difference: float | None = None
    """Of two shares of right answers: pipelines that differ by less are level, and cost or speed decides."""
    questions_a_day: int | None = None
    """How many further questions people can write a day."""
    set_at: datetime | None = None
    """Since when criteria and smallest difference are in force; None where none are."""
    before: bool | None = None
    """Whether that was before the run was scored; None where nothing is set, or nobody knows."""


NO_PROTOCOL = Protocol()


@dataclass(frozen=True, kw_only=True)
class Override:
    """What a person decided against the recommendation of a run."""

    ships: str | None
    """The pipeline that ships; None: none does."""
    reason: str
    by: str
    at: datetime
    subject: str | None
    """Who that verifiably was; None where nobody signs in, and nobody has to confirm it."""
    confirmed_by: str | None
    confirmed_at: datetime | None

    @property
    def holds(self) -> bool:
        """Whether it is in force: with roles, once a second person confirmed it."""
        return self.subject is None or self.confirmed_by is not None


@dataclass(frozen=True, kw_only=True)
class Run:
    """A golden dataset version and the responses of its pipelines, scored. What the index knows without its rows."""

    run_id: str
    name: str
    created_at: datetime
    golden_id: str
    """Content hash of the golden dataset version."""
    pipelines: tuple[str, ...]
    """In the order in which the files first name them."""
    questions: int
    responses: int
    thresholds: Thresholds
    engine: str
    """What scored it, with its version, and the judge that was heard: `qaviz 0.1.0; judge openai:NAME (its key)`."""
    sources: tuple[str, ...]
    listed_counts: dict[str, int]
    """How many entries loading listed, by kind (`qaviz.loading.load_log`)."""

    @property
    def scorer(self) -> str:
        """What scored it, with its version."""
        return self.engine.partition(JUDGED_BY)[0]

    @property
    def judge(self) -> str:
        """The judge that decides what qaviz leaves unsure, with its key; empty where none was chosen for the run."""
        return self.engine.partition(JUDGED_BY)[2]


@dataclass(frozen=True, kw_only=True)
class Verified:
    """One check of a run's scores by the installed FMEval."""

    verified_at: datetime
    version: str
    """FMEval's: `1.2.3`."""
    compared: int
    differences: int
    """How many scores of theirs differ from the run's."""


@dataclass(frozen=True, kw_only=True)
class SourceFile:
    """A file that a run came from, as it was when it was read."""

    name: str
    sha256: str
    """Of its bytes, in hexadecimal."""
    size: int
    """Bytes."""


READER = "reader of verdicts"
"""Under which name a run's versions have that of its reader."""


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """What a run was made of, and with what."""

    files: tuple[SourceFile, ...]
    mappings: dict[str, dict[str, str]]
    """By a file's name: what a person said its columns are, theirs to ours. Other columns were known by their names."""
    versions: dict[str, str]
    """By name: of qaviz, of polars, and of the FMEval whose definitions its scores follow."""
    skip_bad: bool = False
    """Whether bad rows were left out and listed, instead of the files being refused."""
    keep_errors: bool = False
    """Whether error messages of pipelines were taken for answers."""
    rescored_from: str | None = None
    """The id of the run whose responses it has, where it is one scored again on another golden dataset version."""
    added_to: str | None = None
    """The id of the run whose golden dataset and responses it has, beside those of files that came later."""

    @property
    def reader(self) -> str:
        """The version of the reader whose verdicts it has; empty for a run from before there were versions."""
        return self.versions.get(READER, "")


WORKSPACE_VARIABLE = "QAVIZ_WORKSPACE"
"""The environment variable that names the workspace's folder."""

SERVED = "served"
"""The file of a workspace in which `qaviz app` writes its port, its name and the folder, which a copy of it is not."""
SERVER_VARIABLE, SERVER_HEADER = "QAVIZ_SERVER", "Qaviz-Server"
"""Environment variable with the random name of a started server, and the header in which /healthz says it."""


def default_folder() -> Path:
    """The folder that WORKSPACE_VARIABLE names, else `./workspace`."""
    return Path(os.environ.get(WORKSPACE_VARIABLE) or "workspace")
