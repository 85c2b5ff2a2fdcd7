// Draws a table whose texts come from files. Everything is set with textContent: nothing is ever parsed as HTML.

const percent = (share) => `${(100 * share).toFixed(2)}%`;

const track = () => {
  const made = element("span", "track");
  made.setAttribute("aria-hidden", "true");
  return made;
};

// A text of a few lines; where it has more, resting on it shows them.
const clamped = (className, text) => {
  const made = element("span", className, text);
  made.addEventListener("pointerenter", () => {
    made.title = made.scrollHeight > made.clientHeight ? text || made.textContent : "";
  });
  return made;
};

const drawers = {
  text: (cell) => {
    const text = clamped(`text${cell.quiet ? " quiet" : ""}${cell.whole ? " whole" : ""}`, cell.text);
    return cell.note ? [text, clamped("text aside quiet", cell.note)] : [text];
  },
  words: (cell) => {
    const names = { same: "span", gone: "del", new: "ins" };
    const shown = clamped("text aside words", "");
    shown.append(...cell.words.flatMap((each) => [element(names[each.change], "", each.text), " "]));
    return [element("span", "text", cell.text), shown];
  },
  mark: (cell) => {
    const mark = element("span", `mark ${cell.tone}`, cell.text);
    mark.title = cell.title;
    return [mark, element("span", "unseen", cell.title)];
  },
  bar: (cell) => {
    const made = track();
    const fill = element("span", "fill");
    fill.style.width = percent(cell.share ?? 0);
    made.append(fill);
    return [element("span", "figure", cell.text), made, element("span", "quiet", cell.note)];
  },
  interval: (cell) => {
    const made = track();
    if (cell.share !== null) {
      const range = element("span", "range");
      range.style.left = percent(cell.low);
      range.style.width = percent(cell.high - cell.low);
      const point = element("span", "point");
      point.style.left = percent(cell.share);
      made.append(range, point);
    }
    return [element("span", "figure", cell.text), made, element("span", "quiet", cell.note)];
  },
  difference: (cell) => {
    const made = track();
    if (cell.difference !== null) {
      const place = (value) => (value + 1) / 2;
      const range = element("span", "range");
      range.style.left = percent(place(cell.low));
      range.style.width = percent((cell.high - cell.low) / 2);
      const point = element("span", "point");
      point.style.left = percent(place(cell.difference));
      made.append(range, element("span", "zero"), point);
    }
    const told = element("span", "told");
    told.append(element("span", "figure", cell.text), element("span", `word ${cell.tone}`, cell.word));
    return [told, made, element("span", "quiet", cell.note)];
  },
};

// What it holds opens `led` here, and, as any link, in a new tab.
const drawLink = (led, held, open) => {
  const link = element("a", "open");
  link.href = led.href;
  link.append(held);
  link.addEventListener("click", (event) => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(led.id || led.href);
  });
  return link;
};

const drawCell = (cell, column, row, open) => {
  const made = element(column.head ? "th" : "td", `kind-${cell.kind}${column.wide ? " wide" : ""}${column.lines ? " lines" : ""}${column.short ? " narrow" : ""}`);
  if (column.head) made.scope = "row";
  made.dataset.label = column.label;
  const content = drawers[cell.kind](cell);
  if (column.head && row.note) content.push(element("span", "note", row.note));
  if (column.head && row.href) content.unshift(drawLink(row, content.shift(), open));
  if (cell.href) made.append(drawLink(cell, content.shift(), open));
  made.append(...content);
  return made;
};

const drawHead = (columns) => {
  const row = element("tr");
  for (const column of columns) {
    const made = element("th", column.short ? "narrow" : column.wide ? "wide" : "");
    made.scope = "col";
    made.append(element("span", "label", column.short || column.label));
    if (column.short) made.append(element("span", "unseen", column.label));
    if (column.note) made.append(element("span", "note", column.note));
    if (column.title) made.firstChild.title = column.title;
    row.append(made);
  }
  const head = element("thead");
  head.append(row);
  return head;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const open = (id) => setTriggerValue("opened", id);
  const table = element("table");
  table.append(element("caption", "unseen", data.caption), drawHead(data.columns));
  const body = element("tbody");
  for (const row of data.rows) {
    const made = element("tr");
    data.columns.forEach((column, i) => made.append(drawCell(row.cells[i], column, row, open)));
    if (row.href) {
      made.classList.add("opens");
      made.addEventListener("click", () => {
        if (!document.getSelection().toString()) open(row.id || row.href);
      });
    }
    body.append(made);
  }
  table.append(body);
  const frame = parentElement.querySelector(".frame");
  frame.classList.toggle("short", data.short);
  frame.classList.toggle("whole", Boolean(data.whole));
  frame.classList.toggle("dense", data.dense);
  frame.classList.toggle("cards", !data.dense);
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", data.caption);
  frame.classList.toggle("compact", data.columns.some((column) => column.short));
  frame.replaceChildren(table);
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
}
