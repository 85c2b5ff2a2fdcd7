"""Commands that do several things: the words that may stand after them, such as `list` and `show` after `runs`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qaviz.analysis.numbers import plural
from qaviz.cli.options import OneOf, Options, argument
from qaviz.cli.paths import open_existing
from qaviz.model.errors import Problem, QavizError
from qaviz.store import Workspace

Do = Callable[..., Iterable[str]]
"""Does an action with what was asked and, where one is opened, the workspace; yields the lines to print."""


class Actions:
    """The actions of one command."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._actions: dict[str, _Action] = {}

    def add(
        self, name: str, takes: str = "", *needs: str, opens: Callable[[Path], Workspace] | None = open_existing
    ) -> Callable[[Do], Do]:
        """Declare a function as an action: what it yields is printed.

        `takes` are the words after it, as in `RUN [NAME]`; `needs` are options and arguments that it cannot do without,
        as in `--out`. It is called with what was asked and, unless `opens` is None, with the workspace.
        """

        def declare(do: Do) -> Do:
            self._actions[name] = _Action(do=do, takes=takes, needs=needs, opens=opens)
            return do

        return declare

    def argument(self) -> Any:  # noqa: ANN401 - a field of options
        """The argument that names one of the actions, all of which are declared by now."""
        return argument(" | ".join(self._actions), metavar="ACTION", type=OneOf(self._actions))

    def act(self, action_name: str, options: Options, words: Sequence[str] = ()) -> Iterable[str]:
        """Do what `asked.action` says. Returns the lines to print. Raises QavizError with all that is missing."""
        action = self._actions[action_name]
        expected = " ".join(filter(None, (action.takes, *action.needs))) or "nothing after it"
        fix = f"See: qaviz {self.command} --help. A name of several words stands in quotes."
        problems = [
            Problem(where=f"{self.command} {action_name}", found=missing, expected=expected, fix=fix)
            for missing in action.find_missing(options, words)
        ]
        if problems:
            raise QavizError(*problems)
        return action.do(options, action.opens(options.workspace)) if action.opens else action.do(options)


@dataclass(frozen=True, kw_only=True)
class _Action:
    do: Do
    takes: str
    needs: tuple[str, ...]
    opens: Callable[[Path], Workspace] | None

    def find_missing(self, options: Options, words: Sequence[str]) -> Iterator[str]:
        """What was not given, or too much."""
        for name in self.needs:
            if getattr(options, name.removeprefix("--").replace("-", "_").lower()) is None:
                yield f"no {name}"
        least = sum(not part.startswith("[") for part in self.takes.split())
        most = len(words) if "..." in self.takes else len(self.takes.split())
        if not least <= len(words) <= most:
            yield f"{plural(len(words), 'word')} after it"
