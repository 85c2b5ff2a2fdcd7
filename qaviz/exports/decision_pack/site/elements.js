// Makes elements. Texts come from files: they are set as text, nothing is ever parsed as HTML.

const element = (name, className, ...content) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
};

const link = (href, ...content) => {
  const made = element("a", "", ...content);
  made.href = href;
  return made;
};

const adopted = Object.fromEntries(
  Object.entries(sheets).map(([name, css]) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    return [name, sheet];
  }),
);

const frames = { table: "frame", words: "board", sentences: "prose" };

// Draws a table, words or sentences with the app's own component, each in a shadow tree of its own as in the app.
const draw = (place, name, data, opened = () => {}) => {
  const host = element("div", `drawn ${name}`);
  place.append(host);
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [adopted[name]];
  root.append(element("div", frames[name]));
  drawers[name]({ data, parentElement: root, setTriggerValue: (_, value) => opened(value) });
};

// A `short` one scrolls sooner, to leave room for what stands under it.
const drawTable = (place, caption, columns, rows, short = false) => {
  const blank = { label: "", title: "", note: "", head: false, wide: false, short: "" };
  const data = {
    caption,
    short,
    dense: false,
    columns: columns.map((column) => ({ ...blank, ...column })),
    rows: rows.map((row) => ({ id: row.href ?? "", href: "", note: "", flag: "", flag_tone: "bad", heading: false, ...row })),
  };
  draw(place, "table", data, (href) => {
    location.hash = href;
  });
};

const drawSentences = (place, points, lead = "") => draw(place, "sentences", { lead, points });

const longestText = 400;

const cut = (text) => (text.length <= longestText ? text : `${text.slice(0, longestText)}…`);

const textCell = (text, missing = "–", note = "") => {
  if (!text || !text.trim()) return { kind: "text", text: missing, quiet: true, note: cut(note) };
  return { kind: "text", text: cut(text), note: cut(note) };
};

const markCell = (text, tone, title, href = "") => ({ kind: "mark", text, tone, title, id: href, href });
