"""What requests will cost, before they are asked: from their sizes, and better once some replies are there."""

from dataclasses import dataclass

from qaviz.llm.replies import Usage
from qaviz.llm.requests import Request

BYTES_PER_TOKEN = 4.0
"""Of English by most tokenizers; what a model's tokenizer really does is learnt from its replies."""
LEARNT_FROM = 20
"""Replies from which on their usage says more than the rule of thumb."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What asking will take. Replies that the journal has are free and not among the calls."""

    requests: int
    recorded: int
    """How many of them the journal can answer."""
    calls: int
    """How many have to be asked, without retries."""
    input_tokens: int
    output_tokens: int
    cost: float | None
    """In `currency`. None where no price is known."""
    currency: str
    learnt_from: int
    """Replies whose usage the estimate goes by; 0 means by the number of characters alone."""


class Learner:
    """Learns from the replies of a model how many tokens requests have and replies get."""

    def __init__(self) -> None:
        self._learnt: set[str] = set()
        self._sizes = self._input_tokens = self._output_tokens = 0

    @property
    def replies(self) -> int:
        """How many replies it has learnt from."""
        return len(self._learnt)

    @property
    def known(self) -> int:
        """Replies that expectations go by: none until there are enough."""
        return self.replies if self.replies >= LEARNT_FROM else 0

    def learn(self, key: str, request: Request, usage: Usage) -> None:
        """Add the reply to the request with this key, once. Estimated usages teach nothing."""
        if not usage.estimated and key not in self._learnt:
            self._learnt.add(key)
            self._sizes += request.size
            self._input_tokens += usage.input_tokens
            self._output_tokens += usage.output_tokens

    def expect(self, request: Request) -> tuple[float, float]:
        """Tokens in and out that the request is expected to use; out is `max_tokens` until enough replies are known."""
        if not self.known or not self._input_tokens:
            return request.size / BYTES_PER_TOKEN, float(request.max_tokens)
        return request.size * self._input_tokens / self._sizes, self._output_tokens / self.replies

    def usage_by_size(self, request: Request, text: str) -> Usage:
        """The usage of a reply whose server did not say it, by the sizes of request and reply."""
        input_tokens, _ = self.expect(request)
        output_tokens = len(text.encode(errors="replace")) / BYTES_PER_TOKEN
        return Usage(input_tokens=round(input_tokens), output_tokens=round(output_tokens), estimated=True)
