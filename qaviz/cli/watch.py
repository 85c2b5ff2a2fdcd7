"""`qaviz watch`: a deployed pipeline is asked a fixed anchor set again and again; a drop beyond noise is reported."""

import re
import time

import orjson
import polars as pl

from qaviz.analysis.gate import Gate, Result
from qaviz.analysis.history import READ
from qaviz.analysis.history_words import ANCHORS, LATEST, check_watch, draw_anchors
from qaviz.cli import INTERRUPTED
from qaviz.cli.ask import ASKING_OPTIONS, read_golden_file
from qaviz.cli.check import ask_and_report, import_responses, name_run, place_journal
from qaviz.cli.options import BY, FILE, Asked, Value, argument, command, number, option, person
from qaviz.cli.paths import open_home, write_out
from qaviz.cli.terminal import escape, print_lines, say, say_problems
from qaviz.exports.gate_formats import FORMATS, as_junit, headline
from qaviz.loading import Source
from qaviz.model.errors import QavizError, stop
from qaviz.model.records import Run
from qaviz.pipelines import PIPELINES_VARIABLE, Pipeline, parse_pipelines
from qaviz.pipelines.specs import allowed_file
from qaviz.pipelines.webhooks import Webhook, find_webhook, tell_webhook
from qaviz.store import Workspace
from qaviz.store.run_records import describe, run_table


def _read_duration(text: str) -> float:
    """Seconds of `90s`, `30m`, `6h` or `1d`."""
    found = re.fullmatch(r"(\d{1,6})([smhd])", text)
    if not found or not int(found[1]):
        raise ValueError
    return int(found[1]) * _UNITS[found[2]]


@command(
    argument("golden", "golden dataset that the anchor set is drawn from", type=FILE),
    option(
        "--anchors",
        "N",
        "questions of the anchor set, the same each time by --seed",
        type=number(1, 100_000),
        default=ANCHORS,
    ),
    option("--every", "6h", "repeat until Ctrl-C (default: once)", type=Value(_read_duration, "90s, 30m, 6h or 1d")),
    option("--junit", "FILE.xml", "also write the result as JUnit's XML", type=FILE),
    option("--webhook", "NAME", "send a drop to [webhooks.NAME] of the file of --allowed"),
    option("--allowed", "FILE", f"TOML file of webhooks (default: ${PIPELINES_VARIABLE})", type=FILE),
    *ASKING_OPTIONS,
    BY,
)
def watch(asked: Asked) -> int:
    """Ask a pipeline the same questions again and compare with the runs before.

    The questions are a fixed anchor set of the golden dataset; the responses are kept as a run tagged `watch`. Exit
    code 1 if right answers fell beyond noise, since the run before or since the first one, or a response is missing; 2
    could not run; else 0. Meant for a schedule (cron); --every repeats it until Ctrl-C.
    """
    pipelines = parse_pipelines(asked.pipeline)
    webhook = _find_webhook(asked)
    golden = draw_anchors(read_golden_file(asked.golden), asked.anchors, asked.seed)
    home = open_home(asked.workspace)
    try:
        while True:
            began = time.monotonic()
            code = _watch_once(home, asked, pipelines, golden, webhook)
            if asked.every is None:
                return code
            time.sleep(max(0.0, began + asked.every - time.monotonic()))
    except KeyboardInterrupt:
        say("stopped")
        return INTERRUPTED


TAG = "watch"
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def _watch_once(
    home: Workspace, asked: Asked, pipelines: list[Pipeline], golden: pl.DataFrame, webhook: Webhook | None
) -> int:
    """Ask the anchor set once and compare with the runs before. Returns the exit code: 1 for a drop."""
    now = _ask(home, asked, pipelines, golden)
    runs = _find_past_runs(home, now)
    if len(runs) < 2:
        print(escape(f'qaviz: "{now.name}" is the first run of this anchor set: the next ones are compared with it'))
        return 0
    found = check_watch(runs, [home.rows(each, READ) for each in runs])
    print_lines(FORMATS["text"](found).split("\n"))
    if asked.junit:
        write_out(asked.junit, as_junit(found).encode())
    failed = found.result is Result.FAIL
    if failed and webhook:
        _send_drop(webhook, found)
    return int(failed)


def _ask(home: Workspace, asked: Asked, pipelines: list[Pipeline], golden: pl.DataFrame) -> Run:
    """Ask the anchor set, and keep the responses as a run."""
    name = name_run(home, TAG, pipelines)
    out = place_journal(home, TAG, pipelines, golden.write_ndjson().encode())
    anchors = Source("anchors.jsonl", golden.write_ndjson().encode())
    ask_and_report(golden, pipelines, out, asked)
    now = import_responses(home, asked, [anchors, Source.of(out)], name)
    describe(home, now.run_id, person(asked), add_tags=[TAG])
    return now


def _find_past_runs(home: Workspace, now: Run) -> list[Run]:
    """The watch's runs over the same anchor set with a pipeline of the newest: the first and the newest ones."""
    tagged = set(run_table(home).filter(pl.col("tags").list.contains(TAG))["run_id"])
    alike = [each for each in home.runs() if each.golden_id == now.golden_id and each.run_id in tagged][::-1]
    alike = [each for each in alike if set(each.pipelines) & set(now.pipelines)]
    return alike if len(alike) <= LATEST else [alike[0], *alike[-LATEST:]]


def _find_webhook(asked: Asked) -> Webhook | None:
    if asked.webhook is None:
        return None
    file = asked.allowed or allowed_file()
    if file is None:
        expected = f"a TOML file with [webhooks.{asked.webhook}]"
        fix = f"Name it with --allowed, or {PIPELINES_VARIABLE}."
        raise stop("--webhook", "no file of webhooks", expected, fix)
    return find_webhook(file, asked.webhook)


def _send_drop(webhook: Webhook, found: Gate) -> None:
    """Send the failed checks to the webhook. If it does not answer, stderr says so and the exit code stays."""
    checks = [
        {"name": each.name, "result": each.result.value, "sentence": each.sentence}
        for each in found.checks
        if each.result is Result.FAIL
    ]
    said = {"text": "\n".join([headline(found), *(each["sentence"] for each in checks)])}
    try:
        tell_webhook(webhook, orjson.loads(orjson.dumps(said | {"result": found.result.value, "checks": checks})))
    except QavizError as error:
        say_problems(error)
