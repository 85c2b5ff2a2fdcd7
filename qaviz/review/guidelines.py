"""What readers go by: the meaning of each decision and finding, with an example."""

from collections.abc import Mapping

from qaviz.store.review_sessions import ACCEPT, ASK, DELETE, EDIT, SKIP, SOURCE_WRONG

DECISION_KEYS: Mapping[str, str] = {ACCEPT: "a", EDIT: "e", DELETE: "d", SOURCE_WRONG: "w", ASK: "q", SKIP: "s"}
DECISIONS: Mapping[str, str] = {
    ACCEPT: "Question, answer and fact are right as they stand.",
    EDIT: "Correct the question, the answer or the fact.",
    DELETE: "The triplet is of no use.",
    SOURCE_WRONG: "The passage itself is wrong or outdated. Every triplet of its document is kept out.",
    ASK: "You cannot decide: the triplet stays open until a third person does.",
    SKIP: "Leave it to another reader.",
}
FINDING_EXAMPLES: Mapping[str, str] = {
    "hallucination": "The answer says what the passage does not: 15 ferries, where the passage has 16.",
    "veracity": "The passage says it, and as an expert you know better.",
    "incomplete": "A part of the answer or a variant of the fact is missing: “and 2 harbours”.",
    "irrelevant": "Nobody who uses the system asks this: the page number of a table.",
    "duplicate": "Another triplet asks the same in other words.",
    "unclear": "The question can be read in two ways: “How much is it?”",
    "outdated": "It was true once: the fares of 2019.",
}
HOW_TO_READ = "Read the passage first. Compare every figure, date and name of the answer and of the fact with it."
