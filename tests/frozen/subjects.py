"""The subjects that are frozen: each takes its items, with what to try, and gives them back with what comes of it."""

import contextlib
import io
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from qaviz.cli import main
from qaviz.loading import Source
from qaviz.model.columns import CONFIDENCE, DIAGNOSIS, QUESTION_ID, RESPONSE, VERDICT
from qaviz.store.index import INDEX_FILE
from qaviz.ui.widgets.url_state import FILTERS, MOVED, PLACES, RANGES, TAB
from tests.builders import SAMPLE, draft_files, write_jsonl

HERE = Path(__file__).parent
WORKSPACE = HERE / "version_0_2_0"
"""A workspace that qaviz 0.2.0 wrote: the sample as the run `June` with people's labels, its index as SQL text."""

Item = dict[str, Any]
OF_THE_MOMENT = re.compile(
    r"(sentence|runs?|.*_at|.*_id|id|.*latency.*|versions?|golden_dataset|engine|sha256|session|line|seed|by|.*_by|owner"
    r"|file|folder|.*hash)$"
)
"""Fields whose values differ from call to call, or are free words: only that they are there is frozen."""
LONGEST, FIRST_ROWS = 40, 2
"""Characters of a text above which it is a sentence, whose words are free; records of a list that are kept whole."""


def read_items(subject: str) -> list[Item]:
    """The items of a subject's file: what is tried, and what came of it."""
    return json.loads((HERE / f"{subject}.json").read_text("utf-8"))


def as_text(items: Sequence[Item]) -> str:
    """The file of these items, each a line."""
    lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in items)
    return f"[\n{lines}\n]\n"


def outline(value: Any, name: str = "") -> Any:
    """What of printed JSON is frozen: every field, values that are the same each time, the first records of a list."""
    if isinstance(value, dict):
        return {key: outline(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        kept = value[:FIRST_ROWS] if value and isinstance(value[0], dict) else value
        more = len(value) - len(kept)
        return [outline(inner, name) for inner in kept] + ([f"and {more} more"] if more else [])
    if OF_THE_MOMENT.fullmatch(name) and name != QUESTION_ID:
        return None if value is None else "…"
    if isinstance(value, float):
        return round(value, 3)
    return "…" if isinstance(value, str) and len(value) > LONGEST else value


def call(words: Sequence[str]) -> tuple[int, str]:
    """Exit code and standard output of a command."""
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(io.StringIO()):
        code = main(list(words))
    return code, printed.getvalue()


def try_commands(items: Sequence[Item], folder: Path) -> list[Item]:
    """Commands in turn on one workspace: `command` with its words, `exit`, and the outline of what it `prints`; of a
    pack the decision, since all of one is among the goldens of packs."""
    places = {"SAMPLE": str(SAMPLE), "FOLDER": str(folder)}
    answers = []
    for item in items:
        words = [re.sub(r"SAMPLE|FOLDER", lambda place: places[place[0]], word) for word in item["command"].split()]
        of_workspace = [] if words[0] == "score" else ["--workspace", str(folder / "workspace")]
        code, printed = call([*words, *of_workspace])
        prints = json.loads(printed) if words[-1] == "json" and printed else None
        if words[0] == "report":
            prints = json.loads(Path(words[-1]).read_text("utf-8"))["decision"]
        answers.append({"command": item["command"], "exit": code, "prints": outline(prints)})
    return answers


def try_addresses(_items: Sequence[Item], _folder: Path) -> list[Item]:
    """Where each address of today and of earlier releases leads, and the parameters that links have."""
    today = [(place.name, place.name, tab) for place in PLACES for tab in ("", *place.tabs)]
    moved = [(path, *target) for path, target in MOVED.items()]
    places = [{"path": path, "page": page, "tab": tab} for path, page, tab in [*today, *moved]]
    return [*places, {"parameters": [TAB, *FILTERS, *RANGES]}]


def try_verdicts(items: Sequence[Item], folder: Path) -> list[Item]:
    """Rows written for this file: each response with verdict, diagnosis and confidence."""
    golden = [
        {QUESTION_ID: str(n)} | {name: value for name, value in item.items() if name != "responses"}
        for n, item in enumerate(items)
    ]
    responses = [
        {QUESTION_ID: str(n), "pipeline": f"p{place}", RESPONSE: text}
        for n, item in enumerate(items)
        for place, text in enumerate(item["responses"])
    ]
    files = write_jsonl(folder / "golden.jsonl", golden), write_jsonl(folder / "responses.jsonl", responses)
    rows = draft_files(Source.of(files[0]), [Source.of(files[1])]).rows
    read = {
        (question, text): [verdict, diagnosis, confidence and round(confidence, 2)]
        for question, text, verdict, diagnosis, confidence in rows.select(
            QUESTION_ID, RESPONSE, VERDICT, DIAGNOSIS, CONFIDENCE
        ).iter_rows()
    }
    return [
        item | {"responses": {text: read[str(n), text] for text in item["responses"]}} for n, item in enumerate(items)
    ]


def try_imports(items: Sequence[Item], folder: Path) -> list[Item]:
    """Small files by name in a known layout, and what `import --dry-run` says of them; of doubts how many."""
    answers = []
    for place, item in enumerate(items):
        own = folder / str(place)
        own.mkdir()
        for name, text in item["files"].items():
            (own / name).write_text(text, "utf-8")
        files = [str(own / name) for name in item["files"]]
        code, printed = call(
            ["import", *files, "--dry-run", "--format", "json", "--workspace", str(folder / "workspace")]
        )
        said = json.loads(printed)
        columns = {role: names for role, names in said["reading"]["columns"].items() if names != [role]}
        reading = {"exit": code, "layout": said["reading"]["layout"], "columns": columns}
        rows = {kind: number for kind, number in said["rows"].items() if number}
        counts = {"doubts": len(said["doubts"]), "rows": rows, "pipelines": said["pipelines"]}
        answers.append({"files": item["files"], "says": reading | counts})
    return answers


SUBJECTS: dict[str, Callable[[Sequence[Item], Path], list[Item]]] = {
    "commands": try_commands,
    "addresses": try_addresses,
    "verdicts": try_verdicts,
    "imports": try_imports,
}


def bring_up(folder: Path) -> Path:
    """A copy of the workspace of 0.2.0, its index made of the text."""
    copy = Path(shutil.copytree(WORKSPACE, folder / "workspace"))
    text = copy / "index.sql"
    with closing(sqlite3.connect(copy / INDEX_FILE)) as index:
        index.executescript(text.read_text("utf-8"))
    text.unlink()
    return copy


def write_index_as_text(folder: Path) -> None:
    """Put the index of a workspace beside it as SQL text, and remove it."""
    with closing(sqlite3.connect(folder / INDEX_FILE)) as index:
        (folder / "index.sql").write_text("\n".join(index.iterdump()) + "\n", "utf-8")
    for file in folder.glob(f"{INDEX_FILE}*"):
        file.unlink()


def differences(then: Any, now: Any, where: str = "") -> Iterator[str]:
    """Where two outlines differ, a line each."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name in dict.fromkeys([*then, *now]):
            yield from differences(then.get(name, "(not there)"), now.get(name, "(not there)"), f"{where}.{name}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for place, pair in enumerate(zip(then, now, strict=True)):
            yield from differences(*pair, f"{where}[{place}]")
    elif then != now:
        yield f"{where}: {then!r} became {now!r}"
