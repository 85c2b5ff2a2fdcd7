"""promptfoo's results (`eval --output results.json`): what stands in several of them together."""

import json
from collections.abc import Iterator

from qaviz.loading.formats.strict_json import as_text
from qaviz.loading.terms import read_column_name
from qaviz.loading.tool_functions import SCORES, Record, fields, inside, items
from qaviz.model import columns as c


def list_promptfoo(record: Record) -> Iterator[Record]:
    """The results, each with `provider` (the pipeline: of several prompts one each), the first `testIdx` that asked the
    same and which `repeat` of it this is, `only_var` where several prompts ask in words of their own, and scores."""
    results = [fields(result) for result in items(inside(record, "results", "results"))]
    prompts: dict[str | None, dict[object, None]] = {}
    repeats: dict[str, dict[object, None]] = {}
    for result in results:
        prompts.setdefault(_name_provider(result), {})[_identify_prompt(result)] = None
        repeats.setdefault(_identify_test(result), {})[as_text(result.get("testIdx"))] = None
    several = len({as_text(inside(result, "prompt", "raw")) for result in results}) > len(repeats)
    for result in results:
        provider = _name_provider(result)
        places, times = list(prompts[provider]), list(repeats[_identify_test(result)])
        prompt = f", prompt {places.index(_identify_prompt(result)) + 1}" if len(places) > 1 else ""
        time = times.index(as_text(result.get("testIdx"))) + 1
        yield result | {
            "provider": f"{provider}{prompt}" if provider else None,
            "testIdx": times[0],
            "repeat": time if len(times) > 1 else None,
            "only_var": _find_variable(fields(result.get("vars"))) if several else None,
            SCORES: _list_scores(result),
        }


def _name_provider(result: Record) -> str | None:
    provider = result.get("provider")
    return as_text(inside(provider, "label") or inside(provider, "id") or provider)


def _identify_prompt(result: Record) -> object:
    """What tells the prompts of one provider apart."""
    place = result.get("promptIdx")
    return place if isinstance(place, int) else as_text(inside(result, "prompt", "label"))


def _identify_test(result: Record) -> str:
    """What a test asks and expects: promptfoo numbers repeats (`eval --repeat`) on as tests of their own."""
    return json.dumps([result.get("vars"), inside(result, "testCase", "assert")], sort_keys=True)


def _find_variable(values: Record) -> str | None:
    """What a test asks: the variable that is named like a question, or the only one, or all of them."""
    named = next((name for name in values if read_column_name(name).word == c.QUESTION), None)
    if named is None and len(values) > 1:
        return "; ".join(f"{name}: {as_text(value)}" for name, value in values.items())
    return as_text(values.get(named or next(iter(values), "")))


def _list_scores(result: Record) -> list[Record]:
    error = result.get("error") if inside(result, "response", "output") is None else None
    scores = [{"name": name, "value": result.get(name), "error": error} for name in ("success", "score")]
    scores += [{"name": name, "value": value} for name, value in fields(result.get("namedScores")).items()]
    for place, component in enumerate(items(inside(result, "gradingResult", "componentResults")), 1):
        kind = inside(component, "assertion", "type") or inside(component, "metadata", "assertionSet", "type")
        value, reason = inside(component, "score"), inside(component, "reason")
        scores.append({"name": f"{place}. {as_text(kind) or 'assertion'}", "value": value, "error": reason})
    return scores
