"""The one door to language models: nothing is paid twice, costs are known before, and keys stay where they are.

settings = Settings(model="openai:gpt-4o-mini", journal=folder / "journal.jsonl", caps=parse_caps(["5USD"]))
fence = fence_texts({"passage": chunk})
request = Request(system=f"Write one question. {fence.notice}", prompt=fence.text)
with open_session(settings) as session:
    session.estimate([request])           # calls, tokens and money, before anything is paid
    (reply,) = session.ask([request])     # from the journal where it was asked before
    reply.text, reply.failure, session.spend
"""

from qaviz.llm.costs import Caps, Estimate, parse_caps, read_prices
from qaviz.llm.requests import Failure, Fence, Reply, Request, Tool, fence_texts, parse_model
from qaviz.llm.sending import Limits
from qaviz.llm.session import Session, Settings, open_session

__all__ = ["Caps", "Estimate", "Failure", "Fence", "Limits", "Reply", "Request", "Session", "Settings", "Tool"]
__all__ += ["fence_texts", "open_session", "parse_caps", "parse_model", "read_prices"]
