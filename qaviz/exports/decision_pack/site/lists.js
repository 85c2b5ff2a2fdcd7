// Long lists, a page at a time, and the list of responses that several pages show.

const rowsOnAPage = 25;

const pageOf = (all) => {
  const pages = Math.max(1, Math.ceil(all.length / rowsOnAPage));
  const page = Math.min(pages, Math.max(1, Number.parseInt(said("page"), 10) || 1));
  return { page, pages, rows: all.slice((page - 1) * rowsOnAPage, page * rowsOnAPage) };
};

const drawPager = (place, { page, pages }) => {
  if (pages === 1) return;
  const nav = element("nav", "pager");
  nav.setAttribute("aria-label", "Pages of the list");
  const step = (label, to) => {
    const button = element("button", "", label);
    button.dataset.key = `pager ${label}`;
    button.disabled = to < 1 || to > pages || to === page;
    button.addEventListener("click", () => goWith({ page: to === 1 ? null : to }));
    return button;
  };
  nav.append(
    step("First", 1),
    step("Previous", page - 1),
    element("span", "", `Page ${count(page)} of ${count(pages)}`),
    step("Next", page + 1),
    step("Last", pages),
  );
  place.append(nav);
};

const tones = { correct: "good", incorrect: "bad" };

const diagnosisCell = (row) => {
  const diagnosis = diagnosisOf.get(responses.diagnosis[row]);
  const verdict = responses.verdict[row];
  const title = `Verdict: ${verdict}. ${responses.fault[row] ? `Fault: ${responses.fault[row]}.` : ""}`;
  return markCell(`${diagnosis.symbol} ${diagnosis.name}`, tones[verdict] ?? "none", title);
};

const whyCell = (row) => {
  const suggestion = responses.suggestion[row];
  return textCell(responses.reason[row], missing, suggestion ? `→ ${suggestion}` : "");
};

const questionHref = (place, pipeline = null) => hrefOf("question", { at: pipeline }, questions.question_id[place]);

const drawResponses = (place, rows) => {
  if (!rows.length) {
    place.append(element("p", "quiet", "No response passes these filters. Remove a filter to see more."));
    return;
  }
  const shown = pageOf(rows);
  const columns = [
    { label: "Question", head: true, wide: true },
    { label: "Response", wide: true },
    { label: "Diagnosis" },
    { label: "Closeness, conciseness" },
    { label: "Why, and what to change", wide: true },
  ];
  const drawn = shown.rows.map((row) => ({
    href: questionHref(questionOf(row), pipelineOf(row)),
    note: pipelineOf(row),
    cells: [
      textCell(questions.question[questionOf(row)], questions.question_id[questionOf(row)]),
      textCell(responses.response[row].replace(/\s+/g, " "), "the response is empty"),
      diagnosisCell(row),
      textCell(`${score(responses.closeness[row])}, ${score(responses.conciseness[row])}`),
      whyCell(row),
    ],
  }));
  drawTable(place, "Responses with their diagnosis", columns, drawn);
  drawPager(place, shown);
};
