"""`qaviz agreement`, `labels`, `calibrate` and `certify`: what people's labels say of verdicts and of graders."""

from pathlib import Path

import polars as pl

from qaviz.analysis.labels import READ, certificate_sentences, certify_run, describe_certificate
from qaviz.analysis.numbers import plural
from qaviz.analysis.outcomes import find_correcting
from qaviz.cli import DONE, FOUND_PROBLEMS
from qaviz.cli import options as o
from qaviz.cli.terminal import MOST_ROWS, as_json, progress_line, say
from qaviz.diagnosis.agreement import agreement as compare_with_labels
from qaviz.diagnosis.agreement import check_labels, select_labels
from qaviz.diagnosis.calibration import FEWEST, IN_PLACE_OF_SHIPPED, find_refit
from qaviz.exports.table_files import as_written
from qaviz.judging.agreement import GraderAgreement, compare_graders
from qaviz.loading import Source, apart
from qaviz.model.columns import GRADE, LABEL, PIPELINE, QUESTION_ID, REASON, RESPONSE, VERDICT
from qaviz.model.errors import QavizError, stop
from qaviz.stats.certify import PROMISE, Promise
from qaviz.store.labels import DRAWN, keep_labels, kept_labels

PICKED, RANDOM = "picked", "random"
NOT_YET = 3
"""The labels certify nothing: fewer than it takes, or too many of the verdicts are wrong."""
CRITERION, GRADER = "criterion", "name"


class _AgreementOptions(o.Options):
    scored: Path = o.argument("what `qaviz score` wrote, or question_id, pipeline and grade or label", type=o.FILE)
    labels: Path = o.argument("question_id, pipeline and label, or the other grader's file", type=o.FILE)
    first: str | None = o.option("NAME", "the grader of the first file, by its column name")
    second: str | None = o.option("NAME", "the grader of the second file, by its column name")
    format: str = o.choice((o.TEXT, o.JSON), "two graders always print JSON", default=o.TEXT)


@o.command(_AgreementOptions)
def agreement(options: _AgreementOptions) -> o.Printout | int:
    """Compare verdicts with people's labels, or two graders.

    Verdicts and labels: how often the two agree, overall, by pipeline and by category, and the responses where they do
    not. Two graders' files (people, judges): exact, within one, kappas, AC1 and AC2 with intervals, as JSON.
    """
    first = read_grader(options.scored, options.first)
    if VERDICT not in first["column"] or options.format == o.JSON:
        agreements = _compare_graders(first, read_grader(options.labels, options.second))
        print(as_json(agreements.get("", {"criteria": agreements})))
        return DONE
    with progress_line() as progress:
        of_verdicts, of_labels = Source.each_of([options.scored, options.labels])
        verdicts = as_written(apart.read_verdicts(of_verdicts, progress), options.scored)
        compared = compare_with_labels(verdicts, apart.read_labels(of_labels, progress))
    measures = [{"measure": name, **vars(getattr(compared, name))} for name in ("accuracy", "macro_f1", "kappa")]
    tables = {"measures": pl.DataFrame(measures)}
    tables |= {name: getattr(compared, name) for name in ("confusion", "by_pipeline", "by_category")}
    others = compared.disagreements
    worst = others.select(QUESTION_ID, PIPELINE, LABEL, VERDICT, REASON).head(MOST_ROWS)
    figures = {
        **{name: getattr(compared, name) for name in ("compared", "questions", "unlabelled", "unmatched")},
        **{name: table.with_columns(pl.col(pl.Float64).round(2)) for name, table in tables.items()},
        "disagreements": others.height,
        "the worst of these": worst,
    }
    return o.Printout(figures, code=FOUND_PROBLEMS if compared.unmatched else DONE)


class _LabelsOptions(o.OfRun, o.ByWhom):
    labels: Path = o.argument("question_id, pipeline and label", metavar="FILE", type=o.FILE)
    by: str | None = o.option("NAME", "who labelled (default: your name on this system)")
    drawn: str = o.choice((PICKED, RANDOM), "only labels of a random sample correct shares and certify", default=PICKED)


@o.command(_LabelsOptions)
def labels(options: _LabelsOptions) -> o.Printout:
    """Load people's labels of a run's responses from a file.

    A response that NAME labelled before gets the new label. Exit code 1: some labels are of no response of the run.
    """
    home, run = options.open_run()
    given, kept = _read_labels(options.labels, home.rows(run, [QUESTION_ID, PIPELINE, RESPONSE]))
    keep_labels(home, run, options.person, kept.with_columns(pl.lit(options.drawn == RANDOM).alias(DRAWN)))
    if options.drawn == PICKED:
        say("picked: they decide these responses and correct no share; --drawn random for a random sample")
    figures = {"run_id": run.run_id, "kept": kept.height, "not_counted": given - kept.height}
    figures |= {"by": options.person, "drawn": options.drawn}
    return o.Printout(figures, code=DONE if kept.height == given else FOUND_PROBLEMS)


class _CalibrateOptions(o.OfRun):
    out: Path = o.file("file to write: .json", required=True)


@o.command(_CalibrateOptions)
def calibrate(options: _CalibrateOptions) -> o.Printout:
    """Fit confidence to the labels of a run and write it to a file.

    Only levels move, from where labelled sets of others put them. QAVIZ_CALIBRATION=FILE uses the file instead of the
    one that is shipped, for every command and for the app. Nothing is written for too few labelled questions, and where
    the fit is no better on questions that were kept out of it.
    """
    home, run = options.open_run()
    responses = home.rows(run)
    fit = find_refit(responses, find_correcting(kept_labels(home, run), responses))
    where, fix = f'run "{run.name}"', "Label more responses on Diagnostics, in the run's random order."
    if isinstance(fit, int):
        expected = f"labels drawn at random of at least {FEWEST}"
        raise stop(where, f"{plural(fit, 'question')} with such labels", expected, fix)
    errors = (
        f"calibration error {fit.error_after:.3f} on questions left out of the fit, {fit.error_before:.3f} as shipped"
    )
    if not fit.better:
        raise stop(where, errors, "a fit that is nearer to the labels than the shipped calibration", fix)
    o.write_out(options.out, fit.calibration.to_json().encode())
    say(f"in use wherever {IN_PLACE_OF_SHIPPED}={options.out} is set")
    figures = {name: getattr(fit, name) for name in ("labels", "questions", "error_before", "error_after")}
    return o.Printout({"file": options.out} | figures)


class _CertifyOptions(o.OfRun):
    wrong: float = o.option("SHARE", "automatic verdicts that may be wrong", type=o.PART, default=PROMISE.wrong)
    sure: float = o.option("SHARE", "probability with which the promise holds", type=o.PART, default=PROMISE.sure)
    labels: Path | None = o.file("question_id, pipeline and label of a random sample (default: the workspace's)")


@o.command(_CertifyOptions)
def certify(options: _CertifyOptions) -> o.Printout:
    """Say how many verdicts need no reader, by people's labels of a random sample.

    The promise: of the automatic verdicts, those of at least the printed confidence, at most --wrong are wrong, with
    probability --sure over random samples. Exit code: 0 certified; 2 could not run; 3 not yet, with the number of
    labels that would probably do. See docs/judging.md.
    """
    home, run = options.open_run()
    rows = home.rows(run)
    labels = _read_labels(options.labels, rows)[1] if options.labels else kept_labels(home, run)
    certificate = certify_run(rows.select(READ), labels, Promise(wrong=options.wrong, sure=options.sure))
    lines = certificate_sentences(certificate)
    return o.Printout(describe_certificate(certificate), lines, DONE if certificate.certified else NOT_YET)


def _read_labels(path: Path, rows: pl.DataFrame) -> tuple[int, pl.DataFrame]:
    """How many labels a file has, and those that are of the run's rows, each once. Raises QavizError with what is wrong
    in them, or if none is of the run."""
    with progress_line() as progress:
        labels = apart.read_labels(Source.of(path), progress)
    check_labels(labels)
    of_run = select_labels(labels, rows)
    if labels.height and of_run.is_empty():
        expected, fix = "question_id and pipeline of responses of the run", "Check that the labels belong to this run."
        raise stop(path.name, f"{plural(labels.height, 'label')}, none of the run", expected, fix)
    if labels.height > of_run.height:
        why = "of no response of the run, of another text than it has, or twice"
        say(f"not counted: {plural(labels.height - of_run.height, 'label')}, {why}")
    return labels.height, of_run


def _compare_graders(first: pl.DataFrame, second: pl.DataFrame) -> dict[str, GraderAgreement]:
    """The two graders' agreement by criterion, under "" where they have none in common."""
    criteria = set(first[CRITERION].drop_nulls()) & set(second[CRITERION].drop_nulls())
    if not criteria:
        categories = [set(grader[GRADE].drop_nulls()) for grader in (first, second)]
        are_verdicts = all(grades <= {"correct", "incorrect", "declined", "unsure"} for grades in categories)
        if are_verdicts and not all("declined" in grades for grades in categories):
            # Where one grader could not say `declined`, it counts as `incorrect` for the other.
            wrong = pl.col(GRADE).replace({"declined": "incorrect"})
            first, second = first.with_columns(wrong), second.with_columns(wrong)
        return {"": compare_graders(first, second)}
    return {
        criterion: compare_graders(
            first.filter(pl.col(CRITERION) == criterion), second.filter(pl.col(CRITERION) == criterion)
        )
        for criterion in sorted(criteria)
    }


def read_grader(path: Path, name: str | None) -> pl.DataFrame:
    """One grader's file, as `apart.read_grades`. Raises QavizError where it has several and none is named."""
    with progress_line() as progress:
        grades = as_written(apart.read_grades(Source.of(path), progress), path)
    names = grades[GRADER].drop_nulls().unique().sort().to_list()
    if name is None and len(names) > 1:
        raise _stop_at_grader(path, f"{len(names)} graders: {', '.join(names)}", names)
    if name is not None and name not in names:
        raise _stop_at_grader(path, f"no grader {name}", names)
    return grades if name is None else grades.filter(pl.col(GRADER) == name)


def _stop_at_grader(path: Path, fault: str, names: list[str]) -> QavizError:
    expected = f"one of {', '.join(names)}" if names else "a column name"
    return stop(path.name, fault, expected, "Name the grader with --first or --second.")
