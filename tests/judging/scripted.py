"""Judges that are scripts: what they say of a response is known, so what is measured of them can be checked."""

import json
import re
from collections.abc import Callable, Mapping

from tests.llm_server import Answer, Call, complete

Grader = Callable[[Mapping[str, str]], int | Mapping[str, int]]
"""From the fenced texts by name to a grade of every criterion, or one for all."""

_BLOCK = re.compile(r"<data (?P<nonce>[0-9a-f]{16}) (?P<name>\w+)>\n(?P<text>.*?)\n</data (?P=nonce)>", re.DOTALL)


def texts_of(call: Call) -> dict[str, str]:
    """The fenced texts of a prompt by name."""
    return {found["name"]: found["text"] for found in _BLOCK.finditer(call.prompt)}


def nonce_of(call: Call) -> str:
    """The nonce that the fences bear."""
    found = _BLOCK.search(call.prompt)
    assert found
    return found["nonce"]


def arguments(call: Call, grades: int | Mapping[str, int], declined: bool = False) -> dict[str, object]:
    """What an honest judge sends: reason first, every criterion of the schema, the nonce."""
    names = call.body["tools"][0]["function"]["parameters"]["properties"]
    criteria = [name for name in names if name not in ("nonce", "gives_no_answer")]
    said = {
        name: {"reason": f"Because of {name}.", "grade": grades if isinstance(grades, int) else grades[name]}
        for name in criteria
    }
    return {"nonce": nonce_of(call), **said, "gives_no_answer": declined}


def judge_script(grader: Grader, delay_s: float = 0.0) -> Callable[[Call], Answer]:
    """A polite server whose judge grades by this function."""

    def script(call: Call) -> Answer:
        grades = grader(texts_of(call))
        return complete(None, arguments=json.dumps(arguments(call, grades)), usage=(400, 60), delay_s=delay_s)

    return script


def by_golden(texts: Mapping[str, str]) -> int:
    """3 where a variant of the fact, or else the golden answer, stands in the response, else 0."""
    truth = texts.get("golden_fact_variants") or texts.get("golden_answer", "")
    return 3 if any(each.strip() in texts["response"] for each in truth.split("<OR>")) else 0
