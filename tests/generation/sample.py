"""`python -m tests.generation.sample`: writes the recorded replies of sample_data again, after the prompt or the chunks
of the sample have changed. The replies are written by hand; a server on loopback says them."""

import json
import re

from qaviz.generation.pipeline import generate_triplets, read_collection
from qaviz.generation.settings import Generation
from qaviz.llm import Settings, open_session
from qaviz.loading import silent
from qaviz.ui.generating import RECORDED_MODEL, SAMPLE_CHUNKING, SAMPLE_DOCUMENT, SAMPLE_REPLIES
from tests.builders import SAMPLE
from tests.generation.model import form_of, passage_of, questions_of
from tests.llm_server import Answer, Call, complete, serve

SAID = (
    ("18.4 million passengers", "How many passengers did Harbour Line carry in 2023?", "Harbour Line carried 18.4 million passengers in 2023.", "18.4 million"),
    ("7% more", "By how much did the passengers of Harbour Line grow in 2023?", "Harbour Line carried 7% more passengers in 2023 than in 2022.", "7%"),
    ("236 million euros", "What was the revenue of Harbour Line in 2023?", "The revenue of Harbour Line was 236 million euros in 2023.", "236 million"),
    ("5.8%", "What was the operating margin of Harbour Line in 2023?", "The operating margin of Harbour Line was 8.5% in 2023.", "8.5%"),
    ("46 ferries", "How many ferries did it run at the end of 2023?", "Harbour Line ran 46 ferries at the end of 2023.", "46 ferries"),
    ("14 May 2023", "When did the Sula, the first electric ferry of Harbour Line, enter service?", "The Sula entered service on 14 May 2023.", "14 May 2023<OR>2023-05-14"),
    ("310 passengers", "How many passengers does the electric ferry Sula carry?", "The Sula carries 310 passengers.", "310"),
    ("9.2 million", "How much does each electric ferry of Harbour Line cost?", "Each electric ferry of Harbour Line costs 9.2 million euros.", "9.2 million<OR>9,200,000"),
    ("Vestby", "How many passengers did the Vestby route carry in 2023?", "The Vestby route carried 5.4 million passengers in 2023.", "5.4 million"),
    ("Odden", "How many ferries serve the Odden route of Harbour Line?", "The Odden route is served by 16 ferries.", "16 ferries<OR>16"),
    ("Ingrid Solheim", "Who has led Harbour Line since September 2021?", "Ingrid Solheim has led Harbour Line since 1 September 2021.", "Ingrid Solheim"),
    ("1,240 people", "How many people does Harbour Line employ?", "Harbour Line employs 1,240 people.", "1,240<OR>1240"),
    ("38%", "Which share of the captains of Harbour Line are women?", "38% of the captains of Harbour Line are women.", "38%"),
    ("14 euros", "How much is a day ticket of Harbour Line for adults?", "A day ticket of Harbour Line costs 14 euros for adults.", "14 euros"),
    ("45 minutes", "From which delay does Harbour Line refund a ticket in full?", "Harbour Line refunds a ticket in full if a ferry is more than 45 minutes late.", "45 minutes"),
    ("10 working days", "Within how many working days does Harbour Line pay refunds?", "Harbour Line pays refunds within 10 working days.", "10 working days"),
    ("Bicycles travel", "According to the text above, what do bicycles cost?", "Bicycles travel free of charge on all ferries of Harbour Line.", "free of charge"),
    ("guide dogs", "Which dogs may enter the saloon on ferries of Harbour Line?", "Guide dogs may enter the saloon on ferries of Harbour Line.", "guide dogs"),
)  # fmt: skip


WRITTEN_AGAIN = {
    "How many ferries did it run at the end of 2023?": "How many ferries did Harbour Line run at the end of 2023?",
    "According to the text above, what do bicycles cost?": "What do bicycles cost on the ferries of Harbour Line?",
}
"""Questions that lack something, and as they are written again."""


def author(call: Call) -> Answer:
    """Triplets about a passage, a question written again, or what a second reader finds in the passage."""
    passage = passage_of(call)
    if form_of(call) == "rewrite":
        before = next((text for text in WRITTEN_AGAIN if text in call.prompt), "")
        return complete(json.dumps({"question": WRITTEN_AGAIN.get(before, "?")}), usage=(600, 30))
    if form_of(call) == "proof":
        proofs = [read(number, question, passage) for number, question in enumerate(questions_of(call), start=1)]
        return complete(json.dumps({"proofs": proofs}), usage=(900, 60 * len(proofs)))
    said = [dict(zip(("question", "answer", "fact"), each[1:], strict=True)) for each in SAID if each[0] in passage]
    return complete("\n".join(json.dumps({"type": "single fact"} | each) for each in said) or "NONE", usage=(820, 190))


def read(number: int, question: str, passage: str) -> dict[str, object]:
    """The sentence or row of the passage that has the words by which the question is known, as a person reads it."""
    words = {WRITTEN_AGAIN.get(asked, asked): (words, answer) for words, asked, answer, _ in SAID}
    known, answer = words.get(question, ("nothing", ""))
    quote = next((text for text in re.split(r"(?<=\.)\s|\n", passage) if known in text), "")
    return {"id": number, "answerable": bool(quote), "answer": answer if quote else "", "quote": quote, "bindings": []}


def write_sample() -> None:
    """Write the recorded replies."""
    made = Generation(chunking=SAMPLE_CHUNKING)
    collection = read_collection([str(SAMPLE / SAMPLE_DOCUMENT)], made, silent)
    (SAMPLE / SAMPLE_REPLIES).unlink(missing_ok=True)
    with serve(author) as server:
        settings = Settings(model=RECORDED_MODEL, journal=SAMPLE / SAMPLE_REPLIES, base_url=server.url)
        with open_session(settings) as session:
            generate_triplets(session, collection, made, RECORDED_MODEL, prover=RECORDED_MODEL)


if __name__ == "__main__":
    write_sample()
