// Which pipeline states which fact: one row a question, one column a pipeline, each mark with its why.

// Questions by how many pipelines state the fact, among how many that are scored.
const statedBy = {
  All: () => true,
  None: (hits, scored) => scored && !hits,
  Some: (hits, scored) => hits && hits < scored,
  Every: (hits, scored) => scored && hits === scored,
  "Not scored": (hits, scored) => !scored,
};
const statedLabels = { None: "Stated by none", Some: "Stated by some", Every: "Stated by every one", "Not scored": "Not scored" };
const uprightUpTo = 4;

const factMark = (row, scores) => {
  if (row === null) return markCell(missing, "none", run.missing_response);
  const stated = scores[row];
  if (stated === null) return markCell(missing, "none", responses.unscored_fact[row] ?? "");
  const warnings = responses.warnings[row];
  const diagnosis = responses.diagnosis[row];
  const why = [
    stated && responses.hit[row] ? `${responses.hit[row]}. ` : "",
    `${diagnosis[0].toUpperCase()}${diagnosis.slice(1)}. ${responses.reason[row]}`,
    warnings ? ` Mind: ${warnings.replaceAll("\n", "; ")}.` : "",
  ];
  const text = `${stated ? "✓ 1" : "✗ 0"}${warnings ? " !" : ""}`;
  return markCell(text, !stated ? "bad" : warnings ? "warn" : "good", why.join(""));
};

// How many of the run's pipelines state a question's fact, among how many that are scored.
const tally = (place, scores) => {
  const scored = rowsOf()[place].filter((row) => row !== null && scores[row] !== null);
  return { hits: scored.filter((row) => scores[row]).length, scored: scored.length };
};

const flagOf = ({ hits, scored }) => {
  if (scored < 2) return "";
  return hits === 0 ? "No pipeline states it" : "";
};

const variantsOf = (fact) => fact && fact.replaceAll("<OR>", "\nor ").replaceAll("<AND>", "\nand ");

const factColumn = (pipeline, places, scores) => {
  const rows = places.map((place) => rowsOf()[place][pipeline]).filter((row) => row !== null && scores[row] !== null);
  const hits = rows.filter((row) => scores[row]).length;
  const turned = pickedPipelines().length > uprightUpTo;
  const total = outOf(hits, rows.length);
  const note = turned ? (rows.length ? percent(hits / rows.length) : missing) : total;
  return { label: pipelines[pipeline], title: `${pipelines[pipeline]}: ${total}`, note, turned };
};

const drawMatrix = (place, tallies, places, scores) => {
  const shown = pageOf(places);
  const picked = pickedPipelines();
  const columns = [
    { label: "Question", head: true, wide: true },
    { label: "QA ground truth", title: "The golden answer.", wide: true },
    { label: "Factual ground truth", title: "The golden fact: any of its variants will do.", wide: true },
    ...picked.map((pipeline) => factColumn(pipeline, places, scores)),
  ];
  const rows = shown.rows.map((each) => ({
    href: questionHref(each),
    flag: flagOf(tallies[each]),
    note: questions.category[each] ?? "",
    cells: [
      textCell(questions.question[each], questions.question_id[each]),
      textCell(questions.answer[each], "no golden answer"),
      textCell(variantsOf(questions.fact[each]), "no fact"),
      ...picked.map((pipeline) => factMark(rowsOf()[each][pipeline], scores)),
    ],
  }));
  drawTable(place, "Factual Knowledge by question and pipeline", columns, rows);
  drawPager(place, shown);
};

const factOrders = {
  "All-zero first": (tallies) => (a, b) => Boolean(flagOf(tallies[b])) - Boolean(flagOf(tallies[a])) || a - b,
  "By category": () => (a, b) => (questions.category[a] ?? "\uffff").localeCompare(questions.category[b] ?? "\uffff") || a - b,
  "Golden dataset": () => (a, b) => a - b,
};

const drawFacts = (place) => {
  const scores = said("match") === "loosely" ? responses.fact_loosely : responses.fact;
  const text = said("text").trim().toLowerCase();
  const passes = questionPasses();
  const tallies = everyQuestion.map((each) => tally(each, scores));
  const passing = everyQuestion.filter((each) => passes(each) && (!text || questionHolds(each, text)));
  const of = (stated) => passing.filter((each) => statedBy[stated](tallies[each].hits, tallies[each].scored));
  const counted = Object.fromEntries(Object.keys(statedBy).map((stated) => [stated, of(stated).length]));
  const { factual_knowledge: exact, factual_knowledge_quasi_exact: loosely } = run.metrics;
  drawFilters(
    place,
    pickOne("match", "Match", ["", "loosely"], (option) => (option ? loosely.label : exact.label)),
    pickOne("stated", "Stated by", Object.keys(statedBy), (stated) =>
      stated === "All" ? `All questions: ${count(counted.All)}` : `${statedLabels[stated]}: ${count(counted[stated])}`,
    ),
    pickOne("order", "Order", Object.keys(factOrders)),
  );
  const stated = saidOf("stated", Object.keys(statedBy));
  const order = factOrders[saidOf("order", Object.keys(factOrders))];
  const places = of(stated).sort(order(tallies));
  if (!places.length) {
    place.append(element("p", "quiet", "No question passes these filters. Take one away to see more."));
    return;
  }
  place.append(element("p", "quiet", "✓ states the fact, ✗ does not, – is not scored, ! has a warning. Rest on a mark for the why; open a row for more."));
  drawMatrix(place, tallies, places, scores);
};
