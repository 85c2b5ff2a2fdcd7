"""A tab of a browser without the browser: it speaks Streamlit's protocol over a web socket of its own, draws nothing.

async with Session.of(app) as tab:
    await tab.open("judges")
    await tab.press("Ask", Model="openai:judge")
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs, UploadedFileInfo
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

LIMIT_S = 180


class BrokenPageError(Exception):
    """A page that showed an exception."""


@dataclass
class Session:
    """The tab: what its page shows, and where it is."""

    url: str
    socket: ClientConnection
    pages: dict[str, str] = field(default_factory=dict)
    """The hash by which the server knows each page, by its path."""
    widgets: dict[tuple[str, str], str] = field(default_factory=dict)
    """The id of each widget of the page that has a label, by its kind, as Streamlit calls it, and its label.

    The first one of those that share both."""
    texts: list[str] = field(default_factory=list)
    """What the page says, in the order of arrival."""
    state: BackMsg = field(default_factory=BackMsg)
    """What the browser sends with each click: where it is, and what the widgets hold."""
    session_id: str = ""

    @classmethod
    @asynccontextmanager
    async def of(cls, url: str, cookie: str = "", person: str = "", resume: str = "") -> "AsyncIterator[Session]":
        """A new tab on the server with this address; its web socket closes at the end.

        A proxy names the person, if there is one; the tab asks for the session to resume, if there is one.
        """
        headers = ({"Cookie": cookie} if cookie else {}) | ({"X-Forwarded-Email": person} if person else {})
        async with connect(
            f"{url.replace('http', 'ws', 1)}/_stcore/stream",
            subprotocols=["streamlit", "token", resume] if resume else ["streamlit"],
            origin=url,
            max_size=None,
            compression=None,
            additional_headers=headers,
        ) as socket:
            yield cls(url, socket)

    async def open(self, path: str, query: str = "") -> float:
        """Go to a page, such as `golden?tab=Generate`. Returns the seconds until the server has sent all of it."""
        path, _, tab = path.partition("?")
        query = "&".join(filter(None, (tab, query)))
        asked = self.state.rerun_script
        asked.Clear()
        asked.query_string, asked.page_script_hash = query, self.pages.get(path, "")
        asked.page_name = "" if path in self.pages else path
        asked.context_info.timezone, asked.context_info.locale = "Europe/Berlin", "en"
        return await self._run()

    async def press(self, button: str, fields: Mapping[str, str] | None = None) -> float:
        """Fill text fields and select boxes, by their labels, and press a button.

        Returns the seconds until the page is there again.
        """
        for label, text in (fields or {}).items():
            kind = "selectbox" if ("selectbox", label) in self.widgets else "text_input"
            self._widget(kind, label).string_value = text
        self._widget("button", button).trigger_value = True
        return await self._run()

    async def choose(self, label: str, option: str) -> float:
        """Choose an option of a row of choices."""
        self._widget("button_group", label).string_array_value.data[:] = [option]
        return await self._run()

    async def upload(self, label: str, name: str, content: bytes) -> float:
        """Put a file into an upload field."""
        asked = BackMsg()
        asked.file_urls_request.request_id, asked.file_urls_request.session_id = name, self.session_id
        asked.file_urls_request.file_names.append(name)
        await self.socket.send(asked.SerializeToString())
        said = ForwardMsg()
        while said.WhichOneof("type") != "file_urls_response":
            said = ForwardMsg.FromString(await self.socket.recv())
        urls: FileURLs = said.file_urls_response.file_urls[0]
        async with httpx.AsyncClient() as client:
            # Streamlit gives the token that an upload has to bear with this answer.
            await client.get(f"{self.url}/_stcore/health")
            headers = {"Origin": self.url, "X-Xsrftoken": client.cookies.get("_streamlit_xsrf", "")}
            answer = await client.put(f"{self.url}{urls.upload_url}", files={"file": (name, content)}, headers=headers)
            answer.raise_for_status()
        info = UploadedFileInfo(file_id=urls.file_id, name=name, size=len(content), file_urls=urls)
        self._widget("file_uploader", label).file_uploader_state_value.uploaded_file_info.append(info)
        return await self._run()

    def _widget(self, kind: str, label: str) -> WidgetState:
        """What the browser holds of the widget with this label."""
        states, name = self.state.rerun_script.widget_states.widgets, self.widgets[kind, label]
        found = next((each for each in states if each.id == name), None)
        return states.add(id=name) if found is None else found

    async def _run(self) -> float:
        began = time.perf_counter()
        self.widgets, self.texts = {}, []
        await self.socket.send(self.state.SerializeToString())
        async with asyncio.timeout(LIMIT_S):
            while not self._hear(ForwardMsg.FromString(await self.socket.recv())):
                pass
        for each in self.state.rerun_script.widget_states.widgets:
            if each.WhichOneof("value") == "trigger_value":
                each.trigger_value = False
        return time.perf_counter() - began

    def _hear(self, said: ForwardMsg) -> bool:
        """Note what the server says; whether it has said all of the page."""
        kind = said.WhichOneof("type")
        if kind == "new_session":
            self.session_id = said.new_session.initialize.session_id
        elif kind == "navigation":
            self.pages = {page.url_pathname: page.page_script_hash for page in said.navigation.app_pages}
        elif kind == "delta":
            self._hear_element(said.delta.new_element)
        return kind == "script_finished" and said.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _hear_element(self, new: Element) -> None:
        kind = new.WhichOneof("type")
        element = getattr(new, kind) if kind else None
        if kind == "exception":
            raise BrokenPageError(element.message)
        if getattr(element, "label", "") and getattr(element, "id", ""):
            self.widgets.setdefault((kind, element.label), element.id)
        if said := getattr(element, "body", ""):
            self.texts.append(said)
