// Draws a golden triplet and the responses to it, word by word. Their texts come from files: everything is set with
// textContent, nothing is ever parsed as HTML.

const element = (name, className, ...content) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content.filter((part) => part !== null && part !== ""));
  return made;
};

const drawStretch = (names) => (stretch) => {
  const evidence = stretch.evidence ? (stretch.evidence === "fact" ? " fact" : " evidence") : "";
  const made = element("span", `word ${stretch.mark}${evidence}`, stretch.text);
  const said = [names[stretch.mark], stretch.evidence ? names[stretch.evidence] ?? names.evidence : ""].filter(Boolean);
  if (said.length) made.title = said.join("; ");
  return made;
};

const drawText = (stretches, names) => element("p", "text", ...stretches.map(drawStretch(names)));

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
  const entries = legend.map(({ sample, className, meaning }) =>
    element("li", "", element("span", `word ${className}`, sample), ` ${meaning}`));
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

const drawWordSet = (set) =>
  labelled(set.title, element("p", "set", ...set.words.flatMap((word) => [element("span", `word ${set.mark}`, word), " "])));

const drawCard = (card, names, labels) => {
  const made = element("article", "card");
  const badge = element("span", "badge", card.diagnosis);
  badge.style.setProperty("--badge", card.colour);
  made.append(
    element("header", "", element("h3", "", card.pipeline), badge),
    element("p", "reason", card.reason),
    element("p", "quiet", card.suggestion),
  );
  for (const warning of card.warnings) made.append(element("p", "warning", `${labels.warning}: ${warning}`));
  made.append(labelled(labels.response, card.response.length ? drawText(card.response, names) : element("p", "quiet", labels.empty)));
  if (card.left_out) made.append(element("p", "quiet", card.left_out));
  if (card.golden.length) made.append(labelled(labels.golden, drawText(card.golden, names)));
  const details = element("details", "", element("summary", "", labels.sums), drawSums(card.sums));
  details.open = card.open;
  if (card.words.length) {
    details.append(...card.words.filter((set) => set.words.length).map(drawWordSet), element("p", "quiet", labels.sets));
  }
  made.append(details);
  return made;
};

export default function ({ data, parentElement }) {
  const board = parentElement.querySelector(".board");
  const cards = element("div", "cards", ...data.cards.map((card) => drawCard(card, data.names, data.labels)));
  board.replaceChildren(drawTriplet(data.triplet), drawLegend(data.legend), cards);
}
