// The run: its tables are here from the start, the words of its responses are read when a question is opened.

const block = (name) => {
  const found = document.getElementById(`data-${name}`);
  return found && JSON.parse(found.textContent);
};

// A column is a list, or its distinct values and for each row which of them.
const column = (packed) => (Array.isArray(packed) ? packed : packed.at.map((place) => packed.of[place]));
const table = (packed) => Object.fromEntries(Object.entries(packed).map(([name, each]) => [name, column(each)]));

const run = block("run");
const questions = table(run.questions);
const responses = table(run.responses);
const everyQuestion = questions.question_id.map((_, place) => place);
const everyResponse = responses.response.map((_, row) => row);
const pipelines = run.pipelines.map((pipeline) => pipeline.name);
const categories = [...new Set(questions.category)].filter((category) => category !== null);
const diagnosisOf = new Map(run.diagnoses.map((diagnosis) => [diagnosis.name, diagnosis]));
const placeOf = new Map(questions.question_id.map((id, place) => [id, place]));

const questionOf = (row) => responses.question[row];
const pipelineOf = (row) => pipelines[responses.pipeline[row]];

const once = (make) => {
  let made;
  return () => (made ??= make());
};

// For each question, the row of each pipeline's response.
const rowsOf = once(() => {
  const rows = everyQuestion.map(() => pipelines.map(() => null));
  for (const row of everyResponse) rows[questionOf(row)][responses.pipeline[row]] = row;
  return rows;
});

const questionTexts = once(() =>
  everyQuestion.map((place) =>
    ["question_id", "question", "answer", "fact"].map((name) => questions[name][place] ?? "").join("\n").toLowerCase(),
  ),
);

const responseTexts = once(() => responses.response.map((text) => text.toLowerCase()));

const questionHolds = (place, text) => questionTexts()[place].includes(text);
const responseHolds = (row, text) => questionHolds(questionOf(row), text) || responseTexts()[row].includes(text);

const questionsInPart = run.questions_in_part;
const partAt = new Map();

const readPart = (number) => {
  if (!partAt.has(number)) partAt.set(number, block(`words-${number}`));
  return partAt.get(number);
};

// The words of a question's responses: its triplet and cards, with what the part's cards share.
const wordsOf = (place) => {
  const { questions: ofPart, shared } = readPart(Math.floor(place / questionsInPart));
  return { ...ofPart[place % questionsInPart], shared };
};
