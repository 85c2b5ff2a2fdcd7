"""promptfoo's results.json, of version 3 and of version 2."""

from qaviz.loading import load
from tests.loading.adapters.files import PROMPTFOO_RESULT, promptfoo_file, shown, theirs
from tests.loading.files import entries


def test_a_result_is_a_response():
    """Vars give question and golden answer, an assertion the fact, the provider the pipeline."""
    loaded = load(promptfoo_file(PROMPTFOO_RESULT), [])
    assert shown(loaded) == [("How many?", "158 in all", "158", "gpt", "158")]
    columns = ("question_id", "latency_ms", "cost", "contexts")
    assert shown(loaded, *columns) == [("0", 120.0, 0.002, ["There are 158."])]


def test_scores_are_kept_by_name():
    """The verdict, the score, named scores and each assertion's score stand beside ours."""
    assert theirs(load(promptfoo_file(PROMPTFOO_RESULT), [])) == [
        {"success": 1.0, "score": 1.0, "tone": 0.5, "1. icontains": 1.0}
    ]


def test_pipelines_are_providers_and_their_prompts():
    """Two providers are two pipelines; two prompts of one provider are two as well, numbered in the file's order."""
    other = PROMPTFOO_RESULT | {"provider": {"id": "local:x"}}
    assert shown(load(promptfoo_file(PROMPTFOO_RESULT, other), []), "pipeline") == [("gpt",), ("local:x",)]
    second = PROMPTFOO_RESULT | {"promptIdx": 1}
    loaded = load(promptfoo_file(PROMPTFOO_RESULT, second), [])
    assert shown(loaded, "pipeline") == [("gpt, prompt 1",), ("gpt, prompt 2",)]


def test_a_request_that_failed_is_unanswered():
    """An error in place of a response is no empty response: it is listed, and not scored."""
    failed = PROMPTFOO_RESULT | {"testIdx": 1, "vars": {"question": "Who?", "expected": "Jeff"}, "error": "429"}
    failed |= {"response": None, "success": False, "score": 0}
    loaded = load(promptfoo_file(PROMPTFOO_RESULT, failed), [])
    assert shown(loaded, "question") == [("How many?",)]
    assert [entry[1:3] for entry in entries(loaded, "unanswered")] == [("1", "gpt")]


def test_contains_any_is_a_fact_with_variants():
    """Words of which one is enough become variants joined by <OR>, words that are all needed by <AND>."""
    asked = {"contains-any": "158<OR>159", "icontains-all": "158<AND>159"}
    for kind, fact in asked.items():
        case = {"assert": [{"type": kind, "value": ["158", "159"]}]}
        assert shown(load(promptfoo_file(PROMPTFOO_RESULT | {"testCase": case}), []), "fact") == [(fact,)]


def test_without_a_var_for_the_question_the_prompt_is_it():
    """Where no var is called like a question, the prompt as it was sent stands for it."""
    source = promptfoo_file(PROMPTFOO_RESULT | {"vars": {"expected": "158 in all"}})
    assert shown(load(source, []), "question") == [("Answer: How many?",)]
