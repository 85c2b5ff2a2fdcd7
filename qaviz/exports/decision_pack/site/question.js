// One question, all pipelines: what each response has of the golden answer, and how its scores come about.

// Stretches as words.js draws them, from lengths and styles; a text is cut by characters, not by JavaScript's halves.
const stretchesOf = (text, marks, shared) => {
  const characters = Array.from(text);
  const stretches = [];
  let start = 0;
  for (let i = 0; i < marks.length; i += 2) {
    const [mark, evidence] = shared[marks[i + 1]];
    stretches.push({ text: characters.slice(start, start + marks[i]).join(""), mark, evidence });
    start += marks[i];
  }
  return stretches;
};

// The words in the order of a text, from their places in the sets; a word's mark is that of its set.
const comparedOf = (order, sets) => {
  const marked = sets.flatMap(({ mark, words }) => words.map((text) => ({ text, mark, evidence: "" })));
  return order.map((place) => marked[place]);
};

const openUpTo = 4;

const cardOf = (card, place, shared, open) => {
  const { row } = card;
  const variants = (questions.answer[place] ?? "").split("<OR>");
  const diagnosis = diagnosisOf.get(responses.diagnosis[row]);
  const sets = card.words.map(([mark, title, words]) => ({ mark: shared[mark], title, words: words ? words.split(" ") : [] }));
  return {
    pipeline: pipelineOf(row),
    diagnosis: diagnosis.name,
    colour: diagnosis.colour,
    reason: responses.reason[row],
    suggestion: responses.suggestion[row] ?? "",
    warnings: responses.warnings[row] ? responses.warnings[row].split("\n") : [],
    response: stretchesOf(responses.response[row], card.response, shared),
    golden: stretchesOf(variants[card.variant], card.golden, shared),
    left_out: card.left_out ? `… and ${plural(card.left_out, "more character")}` : "",
    sums: card.sums.map((sum) => {
      const [label, value, working, help] = sum.map((each) => shared[each]);
      return { label, value, working, help };
    }),
    words: sets,
    compared: card.compared.map((order) => comparedOf(order, sets)),
    repeats: card.repeats,
    open,
  };
};

const drawWords = (place, question) => {
  const words = wordsOf(question);
  const picked = new Set(pickedPipelines());
  const cards = words.cards.filter((card) => picked.has(responses.pipeline[card.row]));
  const made = cards.map((card) => cardOf(card, question, words.shared, cards.length <= openUpTo));
  draw(place, "words", { ...run.signs, triplet: words.triplet, cards: made, at: said("at") });
  const silent = [...picked].filter((pipeline) => rowsOf()[question][pipeline] === null).map((each) => pipelines[each]);
  if (silent.length) place.append(element("p", "quiet", `No response from ${silent.join(", ")}.`));
};

const stepLink = (label, key, place) => {
  if (place === undefined) {
    const made = element("span", "step off", label);
    made.setAttribute("aria-disabled", "true");
    return made;
  }
  const made = link(questionHref(place), label);
  made.className = "step";
  made.setAttribute("aria-keyshortcuts", key);
  made.dataset.key = `step ${key}`;
  return made;
};

const drawQuestion = (place) => {
  drawFilters(place, pickDiagnosis());
  const offered = [...new Set(ofDiagnoses(passingResponses()).map(questionOf))].sort((a, b) => a - b);
  const { id } = address();
  if (id && !placeOf.has(id)) {
    place.append(element("p", "quiet", `This run has no question “${id}”. Here is the first that passes the filters.`));
  }
  const question = placeOf.get(id) ?? offered[0];
  if (question === undefined) {
    place.append(element("p", "quiet", "No response passes these filters. Remove a filter to see questions."));
    return;
  }
  const at = offered.indexOf(question);
  const among = offered.length < everyQuestion.length ? `${count(offered.length)} that pass the filters` : count(offered.length);
  const position = at < 0 ? `This question does not pass the filters; ${count(offered.length)} of ${count(everyQuestion.length)} do.` : `Question ${count(at + 1)} of ${among}`;
  const next = at < 0 ? offered[0] : offered[at + 1];
  place.append(
    element("nav", "steps", stepLink("← Previous", "ArrowLeft", offered[at - 1]), element("span", "quiet", position), stepLink("Next →", "ArrowRight", next)),
  );
  drawWords(place, question);
};

// Arrow keys step through the questions, unless the reader types or scrolls something with them.
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, .drawn")) return;
  document.querySelector(`a.step[aria-keyshortcuts="${event.key}"]`)?.click();
});
