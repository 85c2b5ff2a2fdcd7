"""What one visitor of a server may hold: their own sessions, so many open pages, and so large uploads."""

import logging
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeVar

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message

from qaviz.serving.front import Visit, without_headers

session_log = logging.getLogger("qaviz.sessions")

MOST_SESSIONS, MOST_FILES = 50_000, 200_000
"""Sessions and files whose owner is remembered; the least recently seen is forgotten first, and is then nobody's."""
Key = TypeVar("Key")
Value = TypeVar("Value")

_PROTOCOLS = "sec-websocket-protocol"
_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/")
_MEDIA = re.compile(r"(?<!/static)/media/(?P<file>[^/.]+)[^/]*$")
"""Files that pages made; /static/media has Streamlit's own."""


class OwnSessions:
    """Behind the sign-in: a session is its subject's alone. A web socket that asks for another subject's session, or
    for one that nobody is known to have, gets a new one. An upload to such a session, or the removal of one there, is
    refused; a file that was made for another's is not found. In what the server sends to a page
    `read_session` finds the page's session, and `list_media` the ids of its files, downloads and pictures."""

    def __init__(
        self, read_session: Callable[[bytes], str | None], list_media: Callable[[str, bytes], Iterable[str]]
    ) -> None:
        self._read_session, self._list_media = read_session, list_media
        self.owners: OrderedDict[str, str] = OrderedDict()
        self._readers: OrderedDict[tuple[str, str], None] = OrderedDict()
        """File and subject of each file that a session of the subject was sent the address of."""

    async def __call__(self, visit: Visit) -> Response | None:
        """Pass the visit on, without the session that is not its subject's, or refuse it."""
        subject, path = visit.subject or "", visit.scope["path"]
        if visit.is_socket:
            self._drop_foreign_session(visit, subject)
            visit.changes.append(self._noting_owner(subject))
            return None
        upload, media = _UPLOAD.search(path), _MEDIA.search(path)
        if upload and not self._is_own(upload["session"], subject):
            session_log.warning("an upload to a session of somebody else was refused", extra={"subject": subject})
            return PlainTextResponse("Refused: this page is not yours.\n", 403)
        if media and (media["file"], subject) not in self._readers:
            session_log.warning("a file of somebody else, or of nobody, was refused", extra={"subject": subject})
            return PlainTextResponse("Not found.\n", 404)
        return None

    def _is_own(self, session: str, subject: str) -> bool:
        return bool(subject) and self.owners.get(session) == subject

    def _drop_foreign_session(self, visit: Visit, subject: str) -> None:
        """Drop the id of a session, which is the third of the protocols, unless it is the subject's."""
        entries = [entry.strip() for entry in ",".join(visit.headers.getlist(_PROTOCOLS)).split(",")]
        if len(entries) < 3 or self._is_own(entries[2], subject):
            return
        if entries[2]:
            session_log.warning("a session of somebody else, or of nobody, was not resumed", extra={"subject": subject})
        protocols = {"subprotocols": entries[:2]} if "subprotocols" in visit.scope else {}
        visit.scope = {**without_headers(visit.scope, _PROTOCOLS), **protocols}
        visit.scope["headers"].append((_PROTOCOLS.encode(), ", ".join(entries[:2]).encode("latin-1")))

    def _noting_owner(self, subject: str) -> Callable[[Message], Message]:
        """Remember whose session it is that the first messages name, and for whom files are there."""
        session: str | None = None

        def note_owner(message: Message) -> Message:
            nonlocal session
            sent = message.get("bytes") if message["type"] == "websocket.send" else None
            if sent and session is None:
                session = self._read_session(sent)
                if session:
                    # The first to have a session keeps it.
                    self.owners.setdefault(session, subject)
                    _keep_newest(self.owners, session, MOST_SESSIONS)
            # What files there are is asked of the server: a text of somebody's may have any address.
            if sent and session and self._is_own(session, subject) and b"/media/" in sent:
                for file in self._list_media(session, sent):
                    self._readers[file, subject] = None
                    _keep_newest(self._readers, (file, subject), MOST_FILES)
            return message

        return note_owner


def _keep_newest(remembered: OrderedDict[Key, Value], key: Key, most: int) -> None:
    """Make the key the newest, and forget the oldest over `most`."""
    remembered.move_to_end(key)
    while len(remembered) > most:
        remembered.popitem(last=False)


Held = Callable[[], Mapping[str, int]]
"""Says how many bytes of uploads each session holds."""

GB = 1024**3

MEMORY_PER_VISITOR, MEMORY_IN_ALL = 1 * GB, 2 * GB
"""Most bytes of uploads that are on their way or in the server's memory, before a page moves them to the disk."""
UPLOADS_PER_VISITOR, UPLOADS_IN_ALL = 4 * GB, 16 * GB
"""Most bytes of uploads in memory and on the disk together."""


class UploadLimit:
    """Refuses an upload before it is read where the visitor, or all together, hold too much. A visitor is who has
    signed in, by the `owners` of sessions, else a session: a tab of a browser."""

    def __init__(self, in_memory: Held, on_disk: Held, owners: Mapping[str, str]) -> None:
        self._in_memory, self._on_disk, self._owners = in_memory, on_disk, owners
        self._on_the_way: Counter[str] = Counter()

    async def __call__(self, visit: Visit) -> Response | None:
        """Pass the visit on, or refuse it."""
        upload = None if visit.is_socket or visit.scope["method"] != "PUT" else _UPLOAD.search(visit.scope["path"])
        if upload is None:
            return None
        length = visit.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,15}", length):
            return PlainTextResponse("An upload has to say how long it is.\n", 411)
        visitor, size = visit.subject or upload["session"], int(length)
        memory = self._by_owner(self._in_memory()) + self._on_the_way
        everywhere = memory + self._by_owner(self._on_disk())
        limits = (
            (memory[visitor], MEMORY_PER_VISITOR, "Wait until your other uploads are there."),
            (memory.total(), MEMORY_IN_ALL, "Wait until other people's uploads are there."),
            (everywhere[visitor], UPLOADS_PER_VISITOR, "Remove files from the upload fields."),
            (everywhere.total(), UPLOADS_IN_ALL, "Wait until other people have finished theirs."),
        )
        for held, limit, fix in limits:
            if held + size > limit:
                return PlainTextResponse(f"Uploads hold {held / GB:.1f} GB of {limit / GB:.0f} GB. {fix}\n", 413)
        self._on_the_way[visitor] += size
        visit.ending.callback(_give_back, self._on_the_way, visitor, size)
        # Who goes away in the middle gets no answer, and the log no traceback.
        visit.ending.enter_context(suppress(ClientDisconnect))
        return None

    def _by_owner(self, held: Mapping[str, int]) -> Counter[str]:
        counted: Counter[str] = Counter()
        for session, size in held.items():
            counted[self._owners.get(session, session)] += size
        return counted


MOST_SOCKETS_OF_PERSON, MOST_SOCKETS_OF_ADDRESS = 30, 200
"""Web sockets, one for each open page, that one person may have open; and one address where nobody signs in: an office
behind one address, not a program that opens them all."""


class SocketLimit:
    """Lets a person, or an address where nobody signs in, have so many web sockets open."""

    def __init__(self, of_person: int = MOST_SOCKETS_OF_PERSON, of_address: int = MOST_SOCKETS_OF_ADDRESS) -> None:
        self._of_person, self._of_address = of_person, of_address
        self._open: Counter[tuple[str, str]] = Counter()

    async def __call__(self, visit: Visit) -> Response | None:
        """Pass the visit on, or refuse a web socket too many."""
        if not visit.is_socket:
            return None
        client = visit.scope.get("client") or ("",)
        holder = ("person", visit.subject) if visit.subject else ("address", str(client[0]))
        most = self._of_person if visit.subject else self._of_address
        if self._open[holder] >= most:
            return PlainTextResponse(f"{most} pages are open already. Close some of them.\n", 429)
        self._open[holder] += 1
        visit.ending.callback(_give_back, self._open, holder, 1)
        return None


def _give_back(held: Counter[Key], holder: Key, number: int) -> None:
    held.subtract({holder: number})
    held += Counter()  # in place: forgets who holds none
