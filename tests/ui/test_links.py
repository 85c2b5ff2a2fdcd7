"""A link shows a colleague the same thing, on every page where something can be picked."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.screen import link_of, open_page

LINKS = {
    "board": "cell=hallucination&cell=declined&pipeline=Pipeline2&closeness=0-0.7",
    "responses": "diagnosis=hallucination&diagnosis=declined&verdict=incorrect&order=By+question",
    "responses?tab=Question": "pipeline=Pipeline1&pipeline=Pipeline3&diagnosis=hallucination",
}


def shown(app: AppTest) -> list[str]:
    """All that the page draws outside the sidebar, as it is sent to the browser; a widget by its value."""
    assert not app.exception
    texts = [
        each.value for kind in ("markdown", "text", "caption", "radio", "selectbox") for each in app.main.get(kind)
    ]
    return [*map(str, texts), *(each.proto.json or each.proto.mixed.json for each in app.main.get("bidi_component"))]


@pytest.mark.parametrize("page", LINKS)
@pytest.mark.usefixtures("shown")
def test_a_copied_link_shows_the_same_cold(page: str):
    """A reader comes to a filtered page through the menu, which empties the URL, and copies the address; a new session
    shows the same, and not what the page shows without filters."""
    reader = open_page(f"{page}{'&' if '?' in page else '?'}{LINKS[page]}")
    link = link_of(reader)
    reader.query_params.clear()
    reader.switch_page("pages/judges.py").run()
    reader.query_params.clear()
    reader.switch_page(f"pages/{page.partition('?')[0]}.py").run()

    assert link_of(reader) == link
    assert shown(open_page(page, **link)) == shown(reader) != shown(open_page(page))
