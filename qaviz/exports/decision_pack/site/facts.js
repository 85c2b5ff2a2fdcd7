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
const namedUpTo = 4;

const factMark = (row, scores) => {
  if (row === null) return markCell(missing, "none", run.missing_response);
  const stated = scores[row];
  const href = questionHref(questionOf(row), pipelineOf(row));
  if (stated === null) return markCell(missing, "none", responses.unscored_fact[row] ?? "", href);
  const warnings = responses.warnings[row];
  const diagnosis = responses.diagnosis[row];
  const why = [
    stated && responses.hit[row] ? `${responses.hit[row]}. ` : "",
    `${diagnosis[0].toUpperCase()}${diagnosis.slice(1)}. ${responses.reason[row]}`,
    warnings ? ` Warning: ${warnings.replaceAll("\n", "; ")}.` : "",
  ];
  const text = `${stated ? "✓ 1" : "✗ 0"}${warnings ? " !" : ""}`;
  return markCell(text, !stated ? "bad" : warnings ? "warn" : "good", why.join(""), href);
};

// How many of the run's pipelines state a question's fact, among how many that are scored.
const tally = (place, scores) => {
  const scored = rowsOf()[place].filter((row) => row !== null && scores[row] !== null);
  return { hits: scored.filter((row) => scores[row]).length, scored: scored.length };
};

const isAllZero = ({ hits, scored }) => scored > 1 && !hits;

const flagOf = ({ hits, scored }) => {
  if (scored < 2) return {};
  if (!hits) return { flag: "Stated by no pipeline" };
  return hits === scored ? { flag: "Stated by every pipeline", flag_tone: "none" } : {};
};

const variantsOf = (fact) => fact && fact.replaceAll("<OR>", "\nor ").replaceAll("<AND>", "\nand ");

const totalOf = (pipeline, places, scores) => {
  const rows = places.map((place) => rowsOf()[place][pipeline]).filter((row) => row !== null && scores[row] !== null);
  return { hits: rows.filter((row) => scores[row]).length, scored: rows.length };
};

const shareOf = (hits, scored) => (scored ? percent(hits / scored) : missing);

// What a category's questions come to, on this page of the list or not.
const headingOf = (category, places, picked, scores) => {
  const own = places.filter((place) => questions.category[place] === category);
  const inOne = picked.length > namedUpTo;
  const marks = picked.map((pipeline) => {
    const { hits, scored } = totalOf(pipeline, own, scores);
    const total = outOf(hits, scored);
    return markCell(inOne ? shareOf(hits, scored) : total, "none", `Facts stated in this category: ${total}`);
  });
  const cells = [textCell(category, "without a category"), textCell(plural(own.length, "question"))];
  return { heading: true, cells: [...cells, ...(inOne ? [] : [textCell("", " ")]), ...marks] };
};

const underHeadings = (rows, shown, places, picked, scores) =>
  rows.flatMap((row, i) => {
    const category = questions.category[shown[i]];
    const goesOn = i && questions.category[shown[i - 1]] === category;
    return goesOn ? [row] : [headingOf(category, places, picked, scores), row];
  });

const factColumn = (pipeline, number, places, scores) => {
  const { hits, scored } = totalOf(pipeline, places, scores);
  const many = pickedPipelines().length > namedUpTo;
  const total = outOf(hits, scored);
  const note = many ? shareOf(hits, scored) : total;
  return { label: pipelines[pipeline], title: `${pipelines[pipeline]}: ${total}`, note, short: many ? `${number}` : "" };
};

const goldenColumns = {
  apart: [
    { label: "Golden answer", wide: true },
    { label: "Fact", title: "The golden fact: any of its variants is enough.", wide: true },
  ],
  inOne: [
    {
      label: "Fact, golden answer",
      title: "The golden fact: any of its variants is enough. Below it, the golden answer if it says more.",
      wide: true,
    },
  ],
};

const goldenCells = (answer, fact, inOne) => {
  if (!inOne) return [textCell(answer, "no golden answer"), textCell(fact, "no fact")];
  return [fact && answer && fact !== answer ? textCell(fact, "", answer) : textCell(fact || answer, "no golden answer")];
};

const drawMatrix = (place, tallies, places, scores) => {
  const shown = pageOf(places);
  const picked = pickedPipelines();
  const columns = [
    { label: "Question", head: true, wide: true },
    ...(picked.length > namedUpTo ? goldenColumns.inOne : goldenColumns.apart),
    ...picked.map((pipeline, i) => factColumn(pipeline, i + 1, places, scores)),
  ];
  const rows = shown.rows.map((each) => ({
    href: questionHref(each),
    ...flagOf(tallies[each]),
    note: questions.category[each] ?? "",
    cells: [
      textCell(questions.question[each], questions.question_id[each]),
      ...goldenCells(questions.answer[each], variantsOf(questions.fact[each]), picked.length > namedUpTo),
      ...picked.map((pipeline) => factMark(rowsOf()[each][pipeline], scores)),
    ],
  }));
  const grouped = said("order") === byCategory ? underHeadings(rows, shown.rows, places, picked, scores) : rows;
  drawTable(place, "Factual Knowledge by question and pipeline", columns, grouped);
  drawPager(place, shown);
};

// In the order of their characters, questions without a category last.
const categoryOrder = (a, b) => {
  const [one, other] = [questions.category[a], questions.category[b]];
  if (one === other) return 0;
  return other === null || (one !== null && one < other) ? -1 : 1;
};

const byCategory = "By category";
const factOrders = {
  "All-zero first": (tallies) => (a, b) => isAllZero(tallies[b]) - isAllZero(tallies[a]) || a - b,
  [byCategory]: (tallies) => (a, b) => categoryOrder(a, b) || isAllZero(tallies[b]) - isAllZero(tallies[a]) || a - b,
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
    place.append(element("p", "quiet", "No question passes these filters. Remove a filter to see more."));
    return;
  }
  place.append(element("p", "quiet", "✓ states the fact, ✗ does not, – is not scored, ! has a warning. Hover over a mark for the reason; open it for the response, word by word."));
  drawMatrix(place, tallies, places, scores);
};
