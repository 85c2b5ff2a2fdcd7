// The frame around every page: the run's name, the menu, the theme, and which page the address names.

const pages = {
  overview: { title: "Overview", draw: drawOverview },
  facts: { title: "Factual Knowledge", draw: drawFacts },
  closeness: { title: "Closeness vs conciseness", draw: drawCloseness },
  diagnostics: { title: "Diagnostics", draw: drawDiagnostics },
  question: { title: "Question", draw: drawQuestion },
  about: { title: "About", draw: drawAbout },
};

const darkWanted = matchMedia("(prefers-color-scheme: dark)");
const themeKey = "qaviz theme";

// From disk a browser may refuse storage; the choice then lasts as long as the page.
const remembered = (change) => {
  try {
    return change ? localStorage.setItem(themeKey, change) : localStorage.getItem(themeKey);
  } catch {
    return null;
  }
};

let theme = remembered();

const paint = (dark) => {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  for (const chart of document.querySelectorAll("canvas.chart")) chart.redraw();
};

const setTheme = () => {
  const dark = theme ? theme === "dark" : darkWanted.matches;
  paint(dark);
  themeButton.textContent = dark ? "Light" : "Dark";
  themeButton.setAttribute("aria-label", `Show in ${dark ? "light" : "dark"} colours`);
};

const themeButton = element("button", "theme");
themeButton.addEventListener("click", () => {
  theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  remembered(theme);
  setTheme();
});

const menu = element("nav", "menu");
menu.setAttribute("aria-label", "Pages");
const skip = element("button", "skip", "Skip to the page");
skip.addEventListener("click", () => document.querySelector("h1").focus());
const main = element("main", "");
const of = element("span", "of", run.about.run);
const sizes = `${plural(run.about.questions, "question")}, ${plural(pipelines.length, "pipeline")}, ${plural(run.about.responses, "response")}`;
document.body.append(
  skip,
  element("header", "", element("strong", "brand", "qaviz"), of, element("span", "quiet", sizes), themeButton, menu),
  main,
);

// What was focused before the page was drawn anew is focused again, with the caret where it was.
const keepingFocus = (redraw) => {
  const focused = document.activeElement;
  const key = focused?.dataset?.key;
  const caret = focused?.selectionStart;
  redraw();
  const again = key && [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  if (!again) return false;
  again.focus({ preventScroll: true });
  if (again.type === "search") again.setSelectionRange(caret, caret);
  return true;
};

let shownPage = "";

const show = () => {
  const name = Object.hasOwn(pages, address().page) ? address().page : "overview";
  const { title, draw: drawPage } = pages[name];
  document.title = `${title} · ${run.about.run} · qaviz`;
  const entries = Object.entries(pages).map(([page, each]) => {
    const entry = link(hrefOf(page), each.title);
    if (page === name) entry.setAttribute("aria-current", "page");
    return entry;
  });
  const heading = element("h1", "", title);
  heading.tabIndex = -1;
  const focused = keepingFocus(() => {
    menu.replaceChildren(...entries);
    main.replaceChildren(heading);
    drawPage(main);
  });
  if (shownPage && shownPage !== name) {
    scrollTo(0, 0);
    if (!focused) heading.focus({ preventScroll: true });
  }
  shownPage = name;
};

darkWanted.addEventListener("change", setTheme);
addEventListener("beforeprint", () => paint(false));
addEventListener("afterprint", setTheme);
addEventListener("hashchange", show);
setTheme();
show();
document.body.dataset.drawn = "yes";
