"""Pictures of every page, to look at: light, dark, on a phone, and on a wide screen.

    python -m benchmarks.screenshots --generated 1008 100000 --workspace /data/qaviz --wide

The sample run's always; with --generated also of runs of so many made-up responses, with --workspace of the newest run
of one's own. They stand in artefacts/screenshots, a folder for each run, a file for each page and view.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.figures import make_parser
from benchmarks.screens import opened_browser, visit, workspace_of
from qaviz.runs import import_sample
from qaviz.store.workspace import open_workspace
from tests.browser.conftest import DESKTOP
from tests.browser.served import ROOT, Screen, served, slug
from tests.screen import PAGES

FOLDER = ROOT / "artefacts" / "screenshots"
TALLEST = 3_000

VIEWS = {
    "light": (DESKTOP, "light"),
    "dark": (DESKTOP, "dark"),
    "phone": ({"width": 390, "height": 844}, "light"),
}
WIDE = {"wide": ({"width": 3840, "height": 2160}, "light")}


def workspaces(options: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    """Name and folder of each workspace whose newest run is pictured."""
    sample = open_workspace(FOLDER / "workspaces" / "sample")
    if not sample.runs():
        import_sample(ROOT / "sample_data", sample)
    yield "sample", sample.folder
    for count in options.generated:
        yield f"generated-{count}", workspace_of(count, FOLDER / "workspaces").folder
    if options.workspace:
        yield options.workspace.absolute().name, options.workspace


def take(browser: Browser, name: str, workspace: Path, *, wide: bool) -> None:
    """Keep a picture of every page of the workspace's newest run in every view."""
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    with served(workspace) as app:
        for view, (size, scheme) in (VIEWS | (WIDE if wide else {})).items():
            with Screen.of(browser, app.url, viewport=size, color_scheme=scheme) as screen:
                for page, title in PAGES.items():
                    screen.page.set_viewport_size(size)
                    visit(screen, "" if page == "board" else page, title)
                    _grow(screen, size)
                    screen.page.screenshot(path=folder / f"{slug(page)}-{view}.png")
                screen.refuse_problems()
    print(f"{folder}: {len(PAGES)} pages")


def _grow(screen: Screen, size: dict[str, int]) -> None:
    """Make the window as tall as the page, so that the picture has all of it."""
    tall = screen.main().evaluate("each => each.scrollHeight")
    if tall > size["height"]:
        screen.page.set_viewport_size({"width": size["width"], "height": min(tall, TALLEST)})
        screen.page.wait_for_timeout(500)  # Plotly resizes after a pause of its own and has no sign of being done.


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--generated", type=int, nargs="*", default=[])
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--wide", action="store_true", help="on a 4K screen too")
    options = parser.parse_args()
    (FOLDER / "workspaces").mkdir(parents=True, exist_ok=True)
    with opened_browser() as browser:
        for name, workspace in workspaces(options):
            take(browser, name, workspace, wide=options.wide)


if __name__ == "__main__":
    main()
