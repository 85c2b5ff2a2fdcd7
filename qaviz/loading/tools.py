"""Files of other tools, known by their content: which tool wrote a file, and which column is which word of ours.

One `Tool` each, in the order in which they are tried; those without columns are refused.
"""

from collections.abc import Sequence

from qaviz.loading.roles import GOLDEN_NAMES
from qaviz.loading.tool import SCORES, Column, Tool, list_promptfoo
from qaviz.model import columns as c

_OF_VARS = (c.QUESTION, c.ANSWER, c.FACT, c.CATEGORY)
_ASSERTED = "testCase.assert[].[assert || [@]] | [] | []"  # assertions may stand in sets
_RAGAS_FIELDS = "'id', 'index', 'user_input', 'Unnamed: 0', 'column 1', 'episode_done', 'ground_truths'"
_DEEPEVAL_CASES = "(testRunData || @).testCases || (testRunData || @).test_cases"
_TRIVIAQA_ANSWER = "(Answer || answer)"
_BEDROCK_RESULTS = "_file.automatedEvaluationResult.scores"
_LANGSMITH_INPUTS = "(part(@, 'inputs') || part(@, 'input'))"
_LANGSMITH_OUTPUTS = "(part(@, 'outputs') || part(@, 'output'))"
_MLFLOW_EXPECTED = (
    "(list(assessments)[?expectation].{name: assessment_name || name,"
    " value: first(expectation.value, json(expectation.serialized_value.value))} || `[]`)"
)

TOOLS: Sequence[Tool] = (
    Tool(name="promptfoo results before version 3", wrote="results.table.body"),
    Tool(name="promptfoo results in CSV", wrote="keys(columns(@, '[', '')) | [?contains(@, '] ')]"),
    Tool(
        name="a trace of OpenTelemetry, Phoenix or Arize",
        wrote="has(@, 'resourceSpans') || has(@, 'attributes.input.value')"
        " || columns(attributes, 'gen_ai.', '') || columns(attributes, 'openinference.', '')",
    ),
    Tool(
        name="a HELM run",
        wrote="has(request_states[0], 'instance') || (has(@, 'input', 'references') && has(references[0], 'output'))",
    ),
    Tool(name="an OpenAI evals log", wrote="has(spec, 'completion_fns') || has(@, 'sample_id', 'event_id', 'data')"),
    Tool(
        name="Ragas results",
        wrote="(has(@, 'user_input') && (has(@, 'response') || has(@, 'reference') || has(@, 'retrieved_contexts')))"
        " || (has(@, 'question', 'contexts', 'answer') && (has(@, 'ground_truth') || has(@, 'ground_truths'))"
        " && type(question) != 'array')",
        adds_ordinary=True,
        columns=(
            Column(c.QUESTION, "user_input", "content(user_input[?!type || type == 'human'] | [-1]) || user_input"),
            Column(c.QUESTION, "question"),
            Column(c.ANSWER, "reference"),
            Column(c.ANSWER, "ground_truth"),
            Column(c.ANSWER, "ground_truths", "list(ground_truths)"),
            Column(c.CATEGORY, "synthesizer_name"),
            Column(c.CATEGORY, "evolution_type"),
            Column(c.RESPONSE, "response"),
            Column(c.RESPONSE, "answer"),
            Column(c.CONTEXTS, "retrieved_contexts", "list(retrieved_contexts)"),
            Column(c.CONTEXTS, "contexts", "list(contexts)"),
            Column(c.EVIDENCE, "reference_contexts", "list(reference_contexts)"),
            Column(c.CONTEXT_IDS, "retrieved_context_ids", "list(retrieved_context_ids)"),
            Column(c.PASSAGE_ID, "reference_context_ids", "list(reference_context_ids)"),
            Column(c.THEIR_SCORES, SCORES, f"numbers(@, {_RAGAS_FIELDS})"),
        ),
    ),
    Tool(
        name="promptfoo results",
        wrote="has(results.results[0], 'provider', 'success')",
        rows=list_promptfoo,
        columns=(
            *(Column(word, f"vars.{alias}") for word in _OF_VARS for alias in GOLDEN_NAMES[word]),
            *(Column(c.CONTEXTS, name) for name in ("vars.contexts", "vars.context")),
            Column(c.QUESTION_ID, "testIdx"),
            Column(c.QUESTION, "vars", "only_var"),
            Column(c.QUESTION, "prompt.raw"),
            Column(
                c.ANSWER,
                "assert answer",
                _ASSERTED + ' | [?contains(`["equals", "similar", "factuality", "model-graded-factuality", "rouge-n",'
                ' "bleu"]`, type)].value | [0]',
            ),
            Column(
                c.FACT,
                "assert fact",
                f"first({_ASSERTED}"
                ' | [?contains(`["contains", "icontains", "contains-any", "icontains-any"]`, type)].value | [0],'
                f" all_of({_ASSERTED}"
                ' | [?contains(`["contains-all", "icontains-all"]`, type)].value | [0]))',
            ),
            Column(c.PIPELINE, "provider"),
            Column(c.REPEAT, "repeat"),
            Column(c.RESPONSE, "response.output"),
            Column(c.LATENCY_MS, "latencyMs"),
            Column(c.COST, "cost"),
            Column("", "gradingResult.reason"),
            Column(c.THEIR_SCORES, SCORES),
        ),
    ),
    Tool(
        name="a SQuAD dataset",
        wrote="has(data[0], 'paragraphs')",
        rows="spread(data, 'paragraphs', 'qas')",
        columns=(
            Column(c.QUESTION_ID, "id"),
            Column(c.QUESTION, "question"),
            Column(c.ANSWER, "answers", "when(!is_impossible, answers[].text)"),
            # The spans once more: they are as short as facts are.
            Column(c.FACT, "answers.text", "when(!is_impossible, answers[].text)"),
            Column(c.ANSWERABLE, "answerable", "when(is_impossible != `null`, !is_impossible)"),
            Column(c.SOURCE, "title"),
        ),
    ),
    Tool(
        name="rows of a SQuAD dataset",
        wrote="type(question) == 'string' && type(answers.text) == 'array'",
        adds_ordinary=True,
        columns=(
            Column(c.QUESTION_ID, "id"),
            Column(c.QUESTION, "question"),
            Column(c.ANSWER, "answers", "answers.text"),
            Column(c.FACT, "answers.text"),  # the spans once more
            Column(c.ANSWERABLE, "answerable", "length(answers.text || `[]`) > `0`"),
            Column(c.SOURCE, "title"),
        ),
    ),
    Tool(
        name="Bedrock evaluation output",
        wrote="conversationTurns[0] || (has(inputRecord, 'prompt') && has(@, 'modelResponses'))",
        rows="conversationTurns || modelResponses",
        columns=(
            Column(c.QUESTION, "inputRecord.prompt", "content((inputRecord || @).prompt) || _file.inputRecord.prompt"),
            Column(
                c.ANSWER,
                "inputRecord.referenceResponse",
                "(inputRecord || @).referenceResponses[].content(@) || _file.inputRecord.referenceResponse",
            ),
            Column(c.CATEGORY, "inputRecord.category", "_file.inputRecord.category"),
            Column(
                c.PIPELINE,
                "modelIdentifier",
                "output.knowledgeBaseIdentifier || output.modelIdentifier || modelIdentifier",
            ),
            Column(c.RESPONSE, "response", "first(output.text, response)"),
            Column(
                c.CONTEXTS,
                "retrievedPassages",
                "output.retrievedPassages.retrievalResults[]"
                ".{text: content(@), uri: location.*.[uri, url][][] | [0], score: score}",
            ),
            Column("", "explanation", f"lines({_BEDROCK_RESULTS}[].evaluatorDetails[0].explanation)"),
            # A metric without a name stands in some files: there is no telling which it is.
            Column(
                c.THEIR_SCORES,
                SCORES,
                f"(results || {_BEDROCK_RESULTS})[?metricName].{{name: metricName, value: result}}",
            ),
        ),
    ),
    Tool(
        name="samples of lm-evaluation-harness",  # those that compare likelihoods have no response
        wrote="has(@, 'doc', 'target', 'resps') || has(@, 'doc_id', 'filtered_resps')",
        columns=(
            Column(c.QUESTION_ID, "doc_id"),
            Column(c.QUESTION, "doc", "word(texts(doc), 'question')"),
            Column(c.ANSWER, "target"),
            Column(c.RESPONSE, "resps", "first_text(resps || filtered_resps)"),
            Column(c.THEIR_SCORES, SCORES, "chosen(@, metrics)"),
        ),
    ),
    Tool(
        name="an Azure AI evaluation",  # `evaluate(output_path=...)`
        wrote="columns(rows[0] || @, 'inputs.', '') && last_names(columns(rows[0] || @, 'outputs.', ''))",
        rows="rows || [@]",
        columns=(
            Column(c.QUESTION, "inputs.query", "question(word(part(@, 'inputs'), 'question'))"),
            Column(c.ANSWER, "inputs.ground_truth", "word(part(@, 'inputs'), 'answer')"),
            Column(c.CONTEXTS, "inputs.context", "word(part(@, 'inputs'), 'contexts')"),
            Column(
                c.RESPONSE,
                "outputs.response",
                "first(word(plain(part(@, 'outputs')), 'response'), word(part(@, 'inputs'), 'response'))",
            ),
            Column(c.THEIR_SCORES, SCORES, "last_names(part(@, 'outputs'))"),
        ),
    ),
    Tool(
        name="LangSmith runs",  # or examples of a dataset, whose outputs are what is expected
        wrote="(has(@, 'inputs', 'outputs') && (has(@, 'reference_outputs') || has(@, 'reference_example_id')"
        " || has(@, 'feedback_stats') || has(@, 'run_type') || has(@, 'dataset_id')))"
        " || (!has(@, 'inputs', 'outputs')"
        " && merge(columns(@, 'inputs.', ''), columns(@, 'input.', ''))"
        " && merge(columns(@, 'reference_outputs.', ''), columns(@, 'reference.', '')))",
        columns=(
            Column(c.QUESTION_ID, "example_id", "example_id || reference_example_id"),
            Column(c.QUESTION, "inputs", f"question({_LANGSMITH_INPUTS})"),
            Column(
                c.ANSWER,
                "reference_outputs",
                "answer(part(@, 'reference_outputs') || part(@, 'reference') || part(@, 'reference_example_outputs')"
                f" || when(has(@, 'dataset_id') && !has(@, 'run_type'), {_LANGSMITH_OUTPUTS}))",
            ),
            Column(c.PIPELINE, "session_name", "session_name || experiment"),
            Column(
                c.RESPONSE,
                "outputs",
                f"when(!error && (has(@, 'run_type') || !has(@, 'dataset_id')), answer({_LANGSMITH_OUTPUTS}))",
            ),
            Column(c.CONTEXTS, "contexts", f"contexts({_LANGSMITH_OUTPUTS}, {_LANGSMITH_INPUTS})"),
            Column(c.THEIR_SCORES, SCORES, "averages(feedback_stats) || part(@, 'feedback')"),
        ),
    ),
    Tool(
        name="TruLens records",
        wrote="has(@, 'record_id', 'input', 'output') && (has(@, 'app_id') || has(@, 'app_name'))",
        columns=(
            Column(c.QUESTION, "input", "question(input || query)"),
            Column(c.ANSWER, "expected_response", "answer(expected_response || ground_truth || ground_truth_output)"),
            Column(c.PIPELINE, "app_id", "join(' ', [app_name, app_version]) || app_name || app_id"),
            Column(c.RESPONSE, "output", "answer(output)"),
            Column(c.CONTEXTS, "contexts", "contexts(@)"),
        ),
    ),
    Tool(
        name="TriviaQA questions",  # its own files, or Hugging Face's, which have the names in lower case
        wrote=f"has({_TRIVIAQA_ANSWER}, 'value', 'aliases') || has({_TRIVIAQA_ANSWER}, 'Value', 'Aliases')"
        " || has(Data[0].Answer, 'Value', 'Aliases')",
        rows="Data || [@]",
        columns=(
            Column(c.QUESTION_ID, "QuestionId", "QuestionId || question_id"),
            Column(c.QUESTION, "Question", "Question || question"),
            Column(c.ANSWER, "Answer", f"{_TRIVIAQA_ANSWER}.[Value || value, Aliases || aliases][]"),
            # The aliases once more: they are as short as facts are.
            Column(c.FACT, "Answer.Aliases", f"{_TRIVIAQA_ANSWER}.[Value || value, Aliases || aliases][]"),
        ),
    ),
    Tool(
        name="an Inspect log",
        wrote="has(eval, 'task', 'model')",
        rows="samples",
        columns=(
            Column(c.QUESTION_ID, "id"),
            Column(c.QUESTION, "input", "content(input[?role == 'user'] | [-1]) || input"),
            Column(c.ANSWER, "target"),
            Column(c.PIPELINE, "eval.model", "_file.eval.model"),
            # Inspect calls it an epoch too where it asks once.
            Column(c.REPEAT, "epoch", "when(epoch > `1` || _file.eval.config.epochs > `1`, epoch)"),
            # Of a model that gave no answer it writes an empty completion, and no choices.
            Column(
                c.RESPONSE,
                "output.completion",
                "when(output.choices != `[]`, first(output.completion, content(output.choices[0].message)))",
            ),
            Column(c.LATENCY_MS, "output.time", "times(output.time, `1000`)"),
            Column(c.ERROR, "error", "error.message"),
            Column(c.THEIR_SCORES, SCORES, "graded(scores, error.message)"),
        ),
    ),
    Tool(
        name="MLflow results",  # traces with their assessments, or a table of `evaluate`
        wrote="has(@, 'trace_id', 'request', 'response') || has(columns || keys(@), 'inputs', 'outputs')"
        " || columns(rows(columns, data)[0] || @, '', '/score')"
        " || (type(inputs) == 'object' && type(expectations) == 'object')",
        rows="rows(columns, data) || [@]",
        adds_ordinary=True,
        columns=(
            Column(c.QUESTION, "inputs", "question(inputs || request)"),
            Column(
                c.ANSWER,
                "expectations",
                f"word(expectations || named({_MLFLOW_EXPECTED}) || columns(@, '', '/value'), 'answer')",
            ),
            Column(
                c.FACT,
                "expectations.expected_facts",
                f"all_of((expectations || named({_MLFLOW_EXPECTED})).expected_facts)",
            ),
            Column(c.RESPONSE, "outputs", "answer(outputs || response)"),
            Column(c.RESPONSE, "predictions", "answer(predictions)"),
            Column(c.LATENCY_MS, "latency", "positive(execution_duration || times(latency, `1000`))"),
            Column(c.CONTEXTS, "retrieved_context"),
            Column(
                c.THEIR_SCORES,
                SCORES,
                "list(assessments)[?!expectation].{name: assessment_name || name, value: feedback.value,"
                " error: feedback.error.error_message || feedback.error} || columns(@, '', '/score')",
            ),
        ),
    ),
    Tool(
        name="DeepEval test cases",
        wrote=f"({_DEEPEVAL_CASES})[0].input || has(@, 'input', 'actual_output', 'expected_output')",
        rows=f"{_DEEPEVAL_CASES} || [@]",
        adds_ordinary=True,
        columns=(
            Column(c.QUESTION, "input"),
            Column(c.ANSWER, "expected_output", "first(expected_output, expectedOutput)"),
            Column(c.SOURCE, "source_file", "first(source_file, sourceFile)"),
            Column(c.RESPONSE, "actual_output", "first(actual_output, actualOutput)"),
            # In CSV one cell has several, with a bar between them.
            Column(c.CONTEXTS, "retrieval_context", "split(retrieval_context || retrievalContext, '|')"),
            Column(c.THEIR_SCORES, SCORES, "(metricsData || metrics_data)[].{name: name, value: score, error: error}"),
        ),
    ),
    Tool(
        name="an LLM Comparator file",  # its scores are above 0 where the first model is better
        wrote="length(models) > `1` && has(examples[0], 'output_text_a')",
        rows="cross(examples, 'model', models[].name)",
        columns=(
            Column(c.QUESTION, "input_text"),
            Column(c.ANSWER, "custom_fields.answer", "word(custom_fields, 'answer')"),
            Column(c.FACT, "custom_fields.fact", "word(custom_fields, 'fact')"),
            Column(c.CATEGORY, "custom_fields.category", "word(custom_fields, 'category')"),
            Column(c.TAGS, "tags", "join('; ', tags)"),
            Column(c.PIPELINE, "models.name", "model"),
            Column(c.RESPONSE, "output_text", "pick([output_text_a, output_text_b], place)"),
            Column(c.THEIR_SCORES, SCORES, "sides(@)"),
        ),
    ),
    Tool(
        name="an InspectorRAGet file",  # of either version; a model that repeats the target is the golden answer
        wrote="has(tasks[0], 'task_id', 'input') && has(@, 'models') && (has(@, 'results') || has(@, 'evaluations'))",
        rows="targets_apart(@)",
        columns=(
            Column(c.QUESTION_ID, "task_id"),
            Column(c.QUESTION, "input", "turns(task.input) || task.input"),
            Column(c.ANSWER, "targets", "task.targets[].[text, value][] || task.targets"),
            Column(c.CATEGORY, "task_type", "task.question_type || task.task_type"),
            Column(c.PIPELINE, "model_id", "look_up(_file.models, 'model_id', model_id).name || model_id"),
            Column(c.RESPONSE, "output", "model_response || lines(output[].[content, value][]) || output"),
            Column(c.CONTEXTS, "contexts", "passages(contexts || task.contexts, _file.documents)"),
            Column(c.THEIR_SCORES, SCORES, "rated(scores || annotations)"),
        ),
    ),
    Tool(
        name="MT-bench questions",  # one question a turn: all turns so far
        wrote="has(@, 'question_id', 'turns')",
        rows="cross([@], 'turn', turns)",
        columns=(
            Column(c.QUESTION_ID, "question_id", "turn_id(question_id, place)"),
            Column(c.QUESTION, "turns", "turns_up_to(turns, place)"),
            Column(c.ANSWER, "reference", "pick(reference, place)"),
            Column(c.CATEGORY, "category"),
        ),
    ),
    Tool(
        name="MT-bench answers",
        wrote="has(@, 'question_id', 'model_id') && has(choices[0], 'turns')",
        rows="spread(spread([@], 'choices'), 'turns')",
        columns=(
            Column(c.QUESTION_ID, "question_id", "turn_id(question_id, place)"),
            Column(c.PIPELINE, "model_id"),
            Column(c.RESPONSE, "turns", "first(turns.content, turns)"),
        ),
    ),
    Tool(
        name="HotpotQA predictions",
        wrote="type(answer) == 'object' && has(@, 'sp')",
        rows="cross([@], 'id', names(answer))",
        columns=(Column(c.QUESTION_ID, "id"), Column(c.RESPONSE, "answer", "part(answer, id)")),
    ),
    Tool(
        name="MT-RAG tasks",  # of one conversation: the question is all turns so far
        wrote="has(@, 'task_id', 'input') && has(input[0], 'speaker', 'text')",
        columns=(
            Column(c.QUESTION_ID, "task_id"),
            Column(c.QUESTION, "input", "turns(input)"),
            Column(c.ANSWER, "targets", "targets[].text"),
            Column(c.CATEGORY, "question_type", '"Question Type"[0] || question_type'),
            Column(c.ANSWERABLE, "answerable", "when(Answerability, !has(Answerability, 'UNANSWERABLE'))"),
            Column(c.PIPELINE, "model", "model_id || model"),
            Column(c.RESPONSE, "predictions", "predictions[0].text || prediction || response"),
            Column(c.CONTEXTS, "contexts"),
        ),
    ),
    Tool(
        name="a Langfuse CSV",
        wrote="has(@, 'input', 'expectedOutput')",
        adds_ordinary=True,
        columns=(
            Column(c.QUESTION, "input", "question(json(input))"),
            Column(c.ANSWER, "expectedOutput", "answer(json(expectedOutput))"),
            Column(c.RESPONSE, "output", "answer(json(output))"),
            Column(c.CONTEXTS, "contexts", "contexts(output, input, metadata)"),
            Column(c.LATENCY_MS, "latency", "times(latency, `1000`)"),
            Column(c.THEIR_SCORES, SCORES, "numbers(@, 'expectedOutput', 'metadata', 'createdAt', 'updatedAt')"),
        ),
    ),
    Tool(
        name="SQuAD predictions",  # or any responses by id: ids, unlike names of columns, have digits in them
        wrote="has(@, 'id', 'prediction_text') || are_answers_by_id(@)",
        rows="when(has(@, 'prediction_text'), [@]) || cross([@], 'id', names(@))",
        columns=(
            Column(c.QUESTION_ID, "id"),
            Column(
                c.RESPONSE,
                "prediction_text",
                "first(when(has(_file, 'prediction_text'), prediction_text), part(_file, id))",
            ),
        ),
    ),
)
"""The first that knows a file takes it."""
