// Draws a golden triplet and the responses to it, word by word. Their texts come from files: everything is set with
// textContent, nothing is ever parsed as HTML.

const drawStretch = (stretch, names) => {
  const made = element("span", `word ${stretch.mark}`, stretch.text);
  if (names[stretch.mark]) made.title = names[stretch.mark];
  return made;
};

// Neighbours with the same evidence stand in one box.
const drawText = (stretches, names) => {
  const made = element("p", "text");
  let place = made;
  let evidence = "";
  for (const stretch of stretches) {
    if (stretch.evidence !== evidence) {
      evidence = stretch.evidence;
      place = evidence ? element("span", evidence === "fact" ? "fact" : "evidence") : made;
      if (evidence) {
        place.title = names[evidence] ?? names.evidence;
        made.append(place);
      }
    }
    place.append(drawStretch(stretch, names));
  }
  return made;
};

const labelled = (label, ...content) => element("div", "field", element("span", "label", label), ...content);

const drawTriplet = (triplet) => {
  const made = element("section", "card triplet");
  made.append(element("h2", "question", triplet.question));
  const answers = triplet.answers.map((answer) => element("p", "text", answer));
  made.append(labelled(triplet.labels.answer, ...(answers.length ? answers : [element("p", "quiet", triplet.none)])));
  const variants = triplet.variants.map((variant) => element("li", "variant", variant));
  made.append(labelled(triplet.labels.fact, variants.length ? element("ul", "variants", ...variants) : element("p", "quiet", triplet.none)));
  const notes = triplet.notes.map(([label, text]) => element("span", "note", element("span", "label", label), text));
  made.append(element("p", "notes", ...notes));
  return made;
};

const drawLegend = (legend) => {
  const entries = legend.map(({ className, meaning }) => element("li", "", element("span", `word ${className}`, meaning)));
  const made = element("ul", "legend", ...entries);
  made.setAttribute("aria-label", "What the marks mean");
  return made;
};

const drawSums = (sums) => {
  const made = element("table", "sums");
  for (const sum of sums) {
    const label = element("th", "", sum.label);
    label.scope = "row";
    label.title = sum.help;
    made.append(element("tr", "", label, element("td", "value", sum.value), element("td", "working", sum.working)));
  }
  return made;
};

const drawHeader = (card) => {
  const badge = element("span", "badge", card.diagnosis);
  badge.style.setProperty("--badge", card.colour);
  return element("header", "", element("h3", "", card.pipeline), badge);
};

// A card as one line, drawn in full when it is opened.
const drawLine = (card, names, labels) => {
  const line = element("summary", "", drawHeader(card), element("p", "quiet", card.reason));
  const made = element("details", "line", line);
  made.addEventListener("toggle", () => {
    if (made.open && made.childElementCount === 1) made.append(drawCard(card, names, labels));
  });
  return made;
};

const drawCard = (card, names, labels) => {
  const made = element("article", "card");
  const drawn = card.response.length ? drawText(card.response, names) : element("p", "quiet", labels.empty);
  made.append(drawHeader(card), labelled(labels.response, drawn));
  if (card.left_out) made.append(element("p", "quiet", card.left_out));
  made.append(element("p", "reason", card.reason), card.suggestion ? element("p", "quiet", card.suggestion) : "");
  for (const warning of card.warnings) made.append(element("p", "warning", `${labels.warning}: ${warning}`));
  if (card.golden.length) made.append(labelled(labels.golden, drawText(card.golden, names)));
  const details = element("details", "", element("summary", "", labels.sums), drawSums(card.sums));
  details.open = card.open;
  made.append(details);
  return made;
};

// A long text begins where what decides stands, with the sentence around it.
const bringDecidingIntoView = (text) => {
  const mark = text.querySelector(".fact, .evidence");
  if (!mark || text.scrollHeight <= text.clientHeight) return;
  const below = mark.getBoundingClientRect().top - text.getBoundingClientRect().top;
  text.scrollTop = Math.max(0, below - text.clientHeight / 3);
};

// Once for each response that a link names: what the reader does afterwards moves nothing.
const bringIntoView = (board, card, named) => {
  card.classList.add("at");
  if (board.dataset.at === named) return;
  board.dataset.at = named;
  card.scrollIntoView({ block: "start" });
};

// No card stands alone under a full row: rows are as many as fit, and as even as can be.
const narrowest = 272;
const evenRows = (cards) => {
  const fits = Math.max(1, Math.floor((cards.clientWidth + 16) / (narrowest + 16)));
  const rows = Math.ceil(cards.childElementCount / fits);
  cards.style.setProperty("--columns", Math.ceil(cards.childElementCount / rows));
};

export default function ({ data, parentElement }) {
  const board = parentElement.querySelector(".board");
  const made = data.cards.map((card, i) => (i >= data.whole ? drawLine : drawCard)(card, data.names, data.labels));
  const cards = element("div", "cards", ...made);
  const note = element("p", "quiet note-on-sets", data.labels.sets);
  const key = element("div", "key", drawLegend(data.legend));
  board.classList.toggle("compact", data.compact);
  board.replaceChildren(drawTriplet(data.triplet), ...(data.compact ? [cards, key, note] : [key, cards, note]));
  board.resized?.disconnect();
  if (!data.compact && data.whole === data.cards.length) {
    evenRows(cards);
    board.resized = new ResizeObserver(() => evenRows(cards));
    board.resized.observe(cards);
  }
  // What scrolls can be scrolled by keyboard.
  const at = data.at ? data.cards.findIndex((card) => card.pipeline === data.at) : -1;
  if (at >= 0 && !data.compact) bringIntoView(board, made[at], `${data.triplet.question} ${data.at}`);
  for (const text of board.querySelectorAll(".text")) {
    if (text.scrollHeight > text.clientHeight) text.tabIndex = 0;
    bringDecidingIntoView(text);
  }
  // What stands below is hidden until then: see first_paint.css.
  parentElement.host.dataset.drawn = "";
}
