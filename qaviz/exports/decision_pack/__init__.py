"""The decision pack: what a run says, in one file that can be sent, presented, filed and signed.

`gather` collects the content once; each format writes that and nothing else. The libraries that write slides and
workbooks are loaded with the first pack.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import orjson

from qaviz.analysis.decision import Decision
from qaviz.analysis.labels import Certificate, describe_certificate
from qaviz.analysis.numbers import count, plural
from qaviz.exports.decision_pack.content import (
    SIGN_OFF,
    SIGN_OFF_FIELDS,
    Content,
    DiagnosisPart,
    Example,
    gather,
    gather_from,
)
from qaviz.exports.decision_pack.tables import Table, all_tables, variants_in_words
from qaviz.model.errors import Problem, QavizError
from qaviz.model.plugins import load_plugins, naming_extension
from qaviz.model.records import Run
from qaviz.model.visible import excerpt, visible, write_markdown
from qaviz.store.files import disk_refusals, replacing

LONGEST_TEXT = 600
"""Characters of each text of an example."""


def write_page(content: Content, stream: BinaryIO) -> None:
    """Write the page in UTF-8."""
    stream.write("\n".join(_write_lines(content)).encode() + b"\n")


def _escape(text: str) -> str:
    return write_markdown(visible(text))


def _write_lines(content: Content) -> Iterator[str]:
    yield from (f"# {_escape(content.question)}", "", f"**{_escape(content.lead)}**", "")
    yield from _write_list(content.points)
    for table in all_tables(content):
        yield from _write_table(table)
    yield from ("", "## Diagnoses, with examples")
    for part in content.diagnoses:
        yield from _write_diagnosis(part, content.run.responses)
    for title, sentences in (("The golden dataset", content.golden), ("What is not known", content.unknown)):
        yield from ("", f"## {title}", "", *_write_list(sentences))
    yield from ("", "## How it was measured", "")
    yield from _write_grid(("", ""), content.measured, names=2)
    yield from ("", "## Sign-off", "")
    blank = [""] * len(SIGN_OFF_FIELDS)
    yield from _write_grid(("", *SIGN_OFF_FIELDS), [(line, *blank) for line in SIGN_OFF], names=4)


def _write_list(sentences: Sequence[str]) -> Iterator[str]:
    yield from (f"- {_escape(sentence)}" for sentence in sentences)


def _write_table(table: Table) -> Iterator[str]:
    yield from (
        "",
        f"## {_escape(table.title)}",
        "",
        *_write_grid(table.heads, table.rows, table.names),
        "",
        _escape(table.note),
    )


def _write_grid(heads: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> Iterator[str]:
    yield _write_row(heads)
    yield "|" + "|".join(" --- " if column < names else " ---: " for column in range(len(heads))) + "|"
    yield from map(_write_row, rows)


def _write_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_escape, cells)) + " |"


def _write_diagnosis(part: DiagnosisPart, responses: int) -> Iterator[str]:
    title = f"{part.diagnosis.value.capitalize()}: {count(part.responses)} of {plural(responses, 'response')}"
    yield from ("", f"### {_escape(title)}", "", _escape(part.definition))
    for example in part.examples:
        yield from ("", *_write_example(example))


def _write_example(example: Example) -> Iterator[str]:
    yield f"- **{_excerpt_text(example.question or example.question_id)}**"
    yield f"  - Golden: {_excerpt_text(variants_in_words(example.fact or example.answer) or 'nothing given')}"
    named = (example.pipeline, example.response or "no response")
    yield f"  - {_escape(': '.join(excerpt(text, LONGEST_TEXT) for text in named))}"
    yield f"  - Why: {_excerpt_text(example.reason)}"


def _excerpt_text(text: str) -> str:
    return _escape(excerpt(text, LONGEST_TEXT))


def write_json(content: Content, stream: BinaryIO) -> None:
    """Write the sentences, and the figures with all their digits, as one JSON object in UTF-8.

    Null is what was not scored or not given.
    """
    content_json = {
        "run": asdict(content.run),
        "made_at": content.made_at,
        "question": content.question,
        "decision": _describe_decision(content.decision, content.certificate),
        "override": content.override and asdict(content.override),
        "sentence": content.lead,
        "sentences": content.points,
        "pipelines": content.summary.to_dicts(),
        "normalised": content.normalised.to_dicts(),
        "criteria": content.criteria.to_dicts(),
        "comparisons": content.comparisons.to_dicts(),
        "funnel": content.funnel,
        "diagnoses": [asdict(part) for part in content.diagnoses],
        "certificate": describe_certificate(content.certificate),
        "golden_dataset": content.golden,
        "not_known": content.unknown,
        "measured": dict(content.measured),
        "sign_off": dict.fromkeys(SIGN_OFF),
    }
    stream.write(orjson.dumps(content_json, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


_RANKING = ("pipeline", "right", "of", "low", "high", "corrected_by_labels", "share", "unsure", "missing", "empty")
_BESIDE = ("declined_rightly", "labelled", "method", "cost", "latency_ms", "critical", "criteria", "against")


_AS_THEY_ARE = (
    *("measure", "recommended", "subject", "kind", "confidence", "confidence_reason", "status", "status_reason"),
    *("settled", "open", "sentence", "reasons", "doubts", "settled_by", "settled_in_days", "settling"),
    *("next_step", "trust", "labelled", "agreed", "effort"),
)


def _describe_decision(decision: Decision, certificate: Certificate) -> dict[str, object]:
    """The decision for programs: `settled_by` is null where no number of questions settles it."""
    risk = decision.risk
    return {name: getattr(decision, name) for name in _AS_THEY_ARE} | {
        "why": decision.confidence_reason,
        "impact": asdict(decision.impact),
        "certified": describe_certificate(certificate) if certificate.certified else None,
        "risk": risk and risk.sentence,
        "risk_example": risk and asdict(risk),
        "protocol": asdict(decision.protocol),
        "ranking": decision.ranking.select(*_RANKING, *_BESIDE).to_dicts(),
    }


__all__ = ["Content", "Exporter", "check_out", "exporters", "gather", "gather_from", "name_file", "write_file"]


@dataclass(frozen=True, kw_only=True)
class Exporter:
    """A format of the pack. Entry points `qaviz.exporters` of installed packages name further ones."""

    suffix: str
    """Of the files: `.md`."""
    name: str
    """What people call it."""
    write: Callable[[Content, BinaryIO], None]
    """Writes the pack to a stream."""


def _in_module(name: str) -> Callable[[Content, BinaryIO], None]:
    """The `write` of a module of this folder, which is loaded with the first pack."""

    def write(content: Content, stream: BinaryIO) -> None:
        import_module(f"{__name__}.{name}").write(content, stream)

    return write


_OWN = (
    Exporter(suffix=".pptx", name="PowerPoint", write=_in_module("pptx")),
    Exporter(suffix=".xlsx", name="Excel, with all rows", write=_in_module("xlsx")),
    Exporter(suffix=".html", name="Interactive page", write=_in_module("html")),
    Exporter(suffix=".md", name="Markdown", write=write_page),
    Exporter(suffix=".json", name="JSON", write=write_json),
)


@cache
def exporters() -> dict[str, Exporter]:
    """Every format by its suffix: our own, then those of installed packages. Raises QavizError for a broken package."""
    own = {exporter.suffix: exporter for exporter in _OWN}
    return own | {
        plugin.suffix: plugin for plugin in load_plugins("qaviz.exporters", Exporter) if plugin.suffix not in own
    }


LONGEST_SLUG = 60
"""Characters that a file's name takes of a run's name."""


def write_file(content: Content, out: Path) -> None:
    """Write the pack to `out`, whole or not at all, in its suffix's format. Raises QavizError if the disk refuses."""
    whole = BytesIO()  # a disk full halfway would be asked again by ZipFile, when nobody listens any more
    with disk_refusals(out), replacing(out.resolve()) as unfinished:
        exporter = exporters()[out.suffix.lower()]
        try:
            with nullcontext() if exporter in _OWN else naming_extension(f"report format {exporter.name}"):
                exporter.write(content, whole)
        except Exception as error:
            if error.args and isinstance(error.args[0], OSError):  # xlsxwriter's, of a full disk for temporary files
                raise error.args[0] from error
            raise
        unfinished.write_bytes(whole.getbuffer())


def name_file(run: Run, made_at: datetime, suffix: str) -> str:
    """A name for the pack's file, of letters, digits and hyphens: `decision-pack-release-12-2026-11-20.pptx`."""
    words = re.sub("[^a-z0-9]+", "-", run.name.lower()).strip("-")[:LONGEST_SLUG].strip("-")
    return f"decision-pack-{words or run.run_id}-{made_at:%Y-%m-%d}{suffix}"


def check_out(out: Path) -> None:
    """Raise QavizError if `out` has no known suffix or no folder: a question to ask before long work."""
    if out.suffix.lower() not in exporters():
        wrong, expected = f'the suffix "{out.suffix}"', ", ".join(exporters())
    elif not out.resolve().parent.is_dir():
        wrong, expected = "no such folder", "a folder that exists"
    else:
        return
    raise QavizError(Problem(where=f"--out {out}", found=wrong, expected=expected, fix="Name another file."))
