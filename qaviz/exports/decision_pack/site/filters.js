// The filters that pages share, each kept in the address.

const kept = (control, name, label) => {
  control.setAttribute("aria-label", label);
  control.dataset.key = `filter ${name}`;
  return control;
};

const pickOne = (name, label, options, shownAs = (option) => option) => {
  const control = kept(element("select"), name, label);
  for (const option of options) {
    const made = element("option", "", shownAs(option));
    made.value = option;
    control.append(made);
  }
  control.value = saidOf(name, options);
  control.addEventListener("change", () => goWith({ [name]: control.value }));
  return control;
};

const pickOrAll = (name, label, options, all) => pickOne(name, label, ["", ...options], (option) => option || all);

const typingPause = 250;
let typed;

const search = () => {
  const control = kept(element("input"), "text", "Search the texts");
  control.type = "search";
  control.placeholder = "Search the texts";
  control.value = said("text");
  control.addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(() => settleWith({ text: control.value }), typingPause);
  });
  return control;
};

const drawFilters = (place, ...controls) => {
  const all = [
    ...(pipelines.length > 1 ? [pickOrAll("pipeline", "Pipeline", pipelines, "All pipelines")] : []),
    ...(categories.length > 1 ? [pickOrAll("category", "Category", categories, "All categories")] : []),
    ...controls,
    search(),
  ];
  place.append(element("div", "filters", ...all));
};

const pickDiagnosis = () =>
  pickOrAll("diagnosis", "Diagnosis", run.diagnoses.map((each) => each.name), "All diagnoses");

const pickedPipelines = () => {
  const picked = pipelines.indexOf(said("pipeline"));
  return picked < 0 ? pipelines.map((_, place) => place) : [picked];
};

const questionPasses = () => {
  const category = saidOf("category", ["", ...categories]);
  return (place) => !category || questions.category[place] === category;
};

// The responses that pass every filter but the diagnoses.
const passingResponses = () => {
  const text = said("text").trim().toLowerCase();
  const allowed = new Set(pickedPipelines());
  const passes = questionPasses();
  return everyResponse.filter(
    (row) =>
      allowed.has(responses.pipeline[row]) && passes(questionOf(row)) && (!text || responseHolds(row, text)),
  );
};

const ofDiagnoses = (rows) => {
  const picked = saidAll("diagnosis").filter((name) => diagnosisOf.has(name));
  return picked.length ? rows.filter((row) => picked.includes(responses.diagnosis[row])) : rows;
};
