"""The rubric: qaviz's own, and a user's."""

import pytest

from qaviz.judging.prompts import DEFAULT_FILE, Judge, default_rubric, read_rubric
from qaviz.model.errors import QavizError

DEFAULT = DEFAULT_FILE.read_text("utf-8")


def test_the_default_weighs_60_20_20():
    """Correctness 60 %, comprehensiveness and readability 20 % each, from 0 to 3."""
    rubric = default_rubric()
    assert {each.name: each.weight for each in rubric.criteria} == {
        "correctness": 60,
        "comprehensiveness": 20,
        "readability": 20,
    }
    assert list(rubric.scale) == [0, 1, 2, 3]
    assert rubric.composite({"correctness": 3, "comprehensiveness": 1, "readability": 0}) == pytest.approx(2.0)


def test_another_scale(tmp_path):
    """A criterion of yes and no."""
    path = tmp_path / "r.toml"
    path.write_text(
        'name = "n"\nlowest = 0\nhighest = 1\n[criteria.useful]\nweight = 1\nquestion = "Useful?"\n'
        'grades = [{ grade = 1, text = "yes" }, { grade = 0, text = "no" }]\n'
    )
    rubric = read_rubric(path)
    assert [each.grade for each in rubric.criteria[0].grades] == [0, 1]
    assert 0 < rubric.correct_from <= 1


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("weight = 60", "weight = -1", "weight = -1; "),
        ("weight = 60", 'weight = "much"', "weight"),
        ("grade = 3\n", "grade = 7\n", "of correctness, comprehensiveness, readability each grade from 0 to 3"),
        ("highest = 3", "highest = 0", "2 to 11 grades"),
        ("highest = 3", "highest = 3000", "2 to 11 grades, not 0 to 3000"),
        ('decided_by = "correctness"', 'decided_by = "style"', "decided_by.* not 'style'"),
        ("correct_from = 2", "correct_from = 9", "correct_from.* not 9"),
        ("criteria.readability", "criteria.nonce", "nonce"),
        ("criteria.readability", 'criteria."a b"', "small letters"),
        ("lowest = 0", "lowest = ", "TOML"),
    ],
)
def test_what_is_wrong_with_a_rubric_is_said(tmp_path, before, after, said):
    """Each problem names what was found and what is expected."""
    path = tmp_path / "r.toml"
    changed = DEFAULT.replace(before, after)
    assert changed != DEFAULT
    path.write_text(changed, "utf-8")
    with pytest.raises(QavizError, match=said):
        read_rubric(path)


def test_another_rubric_model_or_prompt_is_another_judge(tmp_path):
    """Grades are comparable under one key only."""
    path = tmp_path / "r.toml"
    path.write_text(DEFAULT.replace("weight = 60", "weight = 50"), "utf-8")
    judges = [
        Judge(model="openai:a"),
        Judge(model="openai:b"),
        Judge(model="openai:a", few_shot=False),
        Judge(model="openai:a", repeats=3),
        Judge(model="openai:a", temperature=0.0),
        Judge(model="openai:a", rubric=read_rubric(path)),
    ]
    assert len({each.key for each in judges}) == len(judges)
    assert Judge(model="openai:a").key == judges[0].key
