"""Twelve layouts of real files that earlier versions read wrongly in silence, rebuilt small, with what they mean."""

import json

from tests.loading.files import upload, workbook
from tests.loading.layouts import ASKED, TRUE, Case, says

NAMES = ("alpha", "beta", "gamma")
SAID = {name: [says(name, n, f" ({name})") for n in range(len(ASKED))] for name in NAMES}
ROWS = [{"question": q, "ground_truth": TRUE[n]} for n, q in enumerate(ASKED)]


def lines(name, rows):
    return upload(name, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def table(name, rows):
    import csv
    import io

    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return upload(name, stream.getvalue())


def of(name, **more):
    return [{**row, "response": SAID[name][n], **more} for n, row in enumerate(ROWS)]


def a_file_a_pipeline():
    """Each file has golden answers and one pipeline's responses, the first too."""
    return Case(tuple(table(f"{name}.csv", of(name)) for name in NAMES), SAID)


def a_file_a_model():
    return Case(tuple(lines(f"run{n}.jsonl", of(name, model=name)) for n, name in enumerate(NAMES)), SAID)


def a_folder_a_model():
    return Case(tuple(table(f"{name}/results.csv", of(name)) for name in NAMES), SAID)


def the_first_has_golden_answers_too():
    first = table("alpha.csv", of("alpha"))
    others = [
        table(f"{name}.csv", [{"question": q, "response": SAID[name][n]} for n, q in enumerate(ASKED)])
        for name in NAMES[1:]
    ]
    return Case((first, *others), SAID)


def wide_and_long():
    wide = [{**row, "gpt-4o": SAID["alpha"][n], "claude-3": SAID["beta"][n]} for n, row in enumerate(ROWS)]
    long = [{"question": q, "model": "gamma", "response": SAID["gamma"][n]} for n, q in enumerate(ASKED)]
    return Case(
        (table("wide.csv", wide), table("long.csv", long)),
        {"gpt-4o": SAID["alpha"], "claude-3": SAID["beta"], "gamma": SAID["gamma"]},
    )


def a_document_a_pipeline():
    files = [
        upload(f"{name}_results.json", json.dumps({"config": {"k": 5}, "results": of(name), "accuracy": 0.5}, indent=1))
        for name in NAMES
    ]
    return Case(tuple(files), {f"{name}_results": SAID[name] for name in NAMES})


def a_solution_beside_what_is_correct():
    rows = [
        {
            "question": q,
            "correct": TRUE[n],
            "gpt4": {"solution": SAID["alpha"][n], "score": 1},
            "llama": {"solution": SAID["beta"][n], "score": 0},
        }
        for n, q in enumerate(ASKED)
    ]
    return Case((upload("s.json", json.dumps(rows)),), {"gpt4": SAID["alpha"], "llama": SAID["beta"]})


def parsed_and_raw():
    rows = [
        {**row, "pred": SAID["alpha"][n], "generated_text": f"Let me think. {SAID['alpha'][n]}"}
        for n, row in enumerate(ROWS)
    ]
    return Case((lines("p.jsonl", rows),), None)


def systems_that_nobody_knows():
    rows = [
        {**row, "llama70b": SAID["alpha"][n], "groq": SAID["beta"][n], "ollama": SAID["gamma"][n]}
        for n, row in enumerate(ROWS)
    ]
    return Case((table("w.csv", rows),), {"llama70b": SAID["alpha"], "groq": SAID["beta"], "ollama": SAID["gamma"]})


def a_sheet_a_configuration():
    return Case((workbook("book.xlsx", {name: of(name) for name in NAMES}),), SAID)


def two_columns_of_names():
    rows = [
        {
            "question": q,
            "ground_truth": TRUE[n],
            "model": "gpt" if name != "gamma" else "llama",
            "producer": name,
            "response": SAID[name][n],
        }
        for name in NAMES
        for n, q in enumerate(ASKED)
    ]
    return Case((table("n.csv", rows),), SAID)


def ids_that_begin_again():
    half = len(ASKED) // 2
    parts = [
        table(
            f"part{p}.csv",
            [
                {"id": n % half + 1, **ROWS[n], "model": "alpha", "response": SAID["alpha"][n]}
                for n in range(p * half, (p + 1) * half)
            ],
        )
        for p in (0, 1)
    ]
    return Case(tuple(parts), {"alpha": SAID["alpha"]})


MISREAD = (
    a_file_a_pipeline, a_file_a_model, a_folder_a_model, the_first_has_golden_answers_too, wide_and_long,
    a_document_a_pipeline, a_solution_beside_what_is_correct, parsed_and_raw, systems_that_nobody_knows,
    a_sheet_a_configuration, two_columns_of_names, ids_that_begin_again,
)  # fmt: skip
