"""Files of other tools, known by their content: which tool wrote a file, and which column is which word of ours.

One `Tool` each, in the order in which they are tried.
"""

from collections.abc import Sequence

from qaviz.loading import tool_readers as readers
from qaviz.loading.roles import GOLDEN_NAMES
from qaviz.loading.tool import Column, Tool
from qaviz.loading.tool_functions import SCORES
from qaviz.model import columns as c

_OF_VARS = (c.QUESTION, c.ANSWER, c.FACT, c.CATEGORY)

_DEEPEVAL_CASES = "(testRunData || @).testCases || (testRunData || @).test_cases"
_TRIVIAQA_ANSWER = "(Answer || answer)"
_BEDROCK_RESULTS = "_file.automatedEvaluationResult.scores"
_WEAVE_EXAMPLE = "(inputs.example || example || inputs)"

TOOLS: Sequence[Tool] = (
    readers.RAGAS,
    Tool(
        name="promptfoo results",
        wrote=readers.is_promptfoo,
        rows=readers.read_promptfoo,
        columns=(
            *(Column(word, f"vars.{alias}") for word in _OF_VARS for alias in GOLDEN_NAMES[word]),
            *(Column(c.CONTEXTS, name) for name in ("vars.contexts", "vars.context")),
            Column(c.QUESTION_ID, "testIdx"),
            Column(c.QUESTION, "vars"),
            Column(c.QUESTION, "prompt.raw"),
            Column(c.ANSWER, "assert answer"),
            Column(c.FACT, "assert fact"),
            Column(c.PIPELINE, "provider"),
            Column(c.REPEAT, "repeat"),
            Column(c.RESPONSE, "response.output"),
            Column(c.LATENCY_MS, "latencyMs"),
            Column(c.COST, "cost"),
            Column(c.THEIR_SCORES, SCORES),
        ),
    ),
    Tool(
        name="promptfoo results in CSV",
        wrote=readers.is_promptfoo_csv,
        rows=readers.read_promptfoo_csv,
        adds_ordinary=True,
        columns=(Column(c.PIPELINE, "provider"), Column(c.RESPONSE, "response.output"), Column(c.THEIR_SCORES, SCORES)),
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
            Column(c.FACT, "answers.text"),  # the spans once more: they are as short as facts are
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
        name="details of lighteval",
        wrote="has(@, 'doc', 'model_response', 'metric') || has(@, '__doc__', '__model_response__')"
        " || has(@, 'full_prompt', 'predictions', 'gold')",
        columns=(
            Column(c.QUESTION_ID, "doc.id", "(doc || __doc__).id"),
            Column(c.QUESTION, "doc.query", "(doc || __doc__).query || example || full_prompt"),
            Column(
                c.ANSWER,
                "doc.gold",
                "picks((doc || __doc__).choices || choices, first((doc || __doc__).gold_index, gold_index)) || gold",
            ),
            Column(
                c.RESPONSE,
                "model_response.text",
                "first_text(model_response.text || __model_response__.text || predictions)",
            ),
            Column(c.THEIR_SCORES, SCORES, "metric || __metric__ || metrics"),
        ),
    ),
    Tool(
        name="samples of lm-evaluation-harness",  # where likelihoods are compared, the likeliest option
        wrote="has(@, 'doc', 'target', 'resps') || has(@, 'doc_id', 'filtered_resps')",
        rows="[merge(@, {options: map(&elements(@)[1], elements(arguments))})]",
        columns=(
            Column(c.QUESTION_ID, "doc_id"),
            Column(c.QUESTION, "doc", "word(texts(doc), 'question') || elements(elements(arguments)[0])[0]"),
            Column(
                c.ANSWER,
                "target",
                "when(!first_text(resps || filtered_resps), strip(pick(options, target))) || target",
            ),
            Column(
                c.RESPONSE,
                "resps",
                "first_text(resps || filtered_resps) || strip(pick(options, likeliest(filtered_resps || resps)))",
            ),
            Column(c.THEIR_SCORES, SCORES, "chosen(@, metrics)"),
        ),
    ),
    Tool(
        name="a HELM run",  # `scenario_state.json`, or an instance of `instances.json`
        wrote="has(request_states[0], 'instance') || (has(@, 'input', 'references') && has(references[0], 'output'))",
        rows="request_states || [{instance: @}]",
        columns=(
            Column(c.QUESTION_ID, "instance.id"),
            Column(c.QUESTION, "instance.input", "instance.input.text || instance.input"),
            Column(c.ANSWER, "instance.references", "instance.references[?has(tags, 'correct')].output.text"),
            Column(
                c.PIPELINE,
                "adapter_spec.model",
                "_file.adapter_spec.model || _file.adapter_spec.model_deployment || request.model",
            ),
            Column(
                c.RESPONSE,
                "result.completions",
                "first(part(output_mapping, strip(result.completions[0].text)), result.completions[0].text)",
            ),
            Column(c.LATENCY_MS, "result.request_time", "times(result.request_time, `1000`)"),
        ),
    ),
    Tool(
        name="an OpenAI evals log",
        wrote="has(spec, 'completion_fns') || has(@, 'sample_id', 'event_id', 'data')",
        gather=readers.join_samples,
        columns=(
            Column(c.QUESTION_ID, "sample_id"),
            Column(c.QUESTION, "prompt", "question(prompt[?role == 'user'] || prompt)"),
            Column(c.ANSWER, "expected", "first(expected, ideal)"),
            Column(c.PIPELINE, "model"),
            Column(c.RESPONSE, "sampled", "first_text(sampled) || sampled"),
            Column(c.THEIR_SCORES, SCORES, "{correct: correct}"),
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
        name="a Vertex AI evaluation",  # a row of a pairwise metric has both models' responses
        wrote="has(json(instance) || @, 'prompt', 'response') && columns(@, '', '/score')",
        rows="cross([merge(@, json(instance) || `{}`)], 'model',"
        " when(has(json(instance) || @, 'baseline_model_response'), ['candidate', 'baseline']) || [`null`])",
        columns=(
            Column(c.QUESTION, "prompt", "question(prompt)"),
            Column(c.ANSWER, "reference"),
            Column(c.CONTEXTS, "context", "contexts(@)"),
            Column(c.PIPELINE, "model"),
            Column(c.RESPONSE, "response", "pick([response, baseline_model_response], place)"),
            Column(c.THEIR_SCORES, SCORES, "when(place == `0`, columns(_file, '', '/score'))"),
        ),
    ),
    Tool(
        name="an Opik experiment",  # of several experiments each has its name before its columns
        wrote="columns(@, 'dataset.', '') && outputs(@)",
        rows="cross([@], 'experiment', outputs(@))",
        columns=(
            Column(c.QUESTION, "dataset.input", "question(word(part(@, 'dataset'), 'question'))"),
            Column(c.ANSWER, "dataset.expected_output", "answer(word(part(@, 'dataset'), 'answer'))"),
            Column(c.PIPELINE, "experiment", "when(experiment != '', experiment)"),
            Column(c.RESPONSE, "output", "answer(beside(@, experiment, 'output'))"),
            Column(c.LATENCY_MS, "duration", "beside(@, experiment, 'duration')"),
            Column(c.THEIR_SCORES, SCORES, "beside(@, experiment, 'feedback_scores.')"),
        ),
    ),
    Tool(
        name="spans of Phoenix or Arize",  # only the outermost of a trace is a question's response
        wrote="has(@, 'attributes.input.value', 'attributes.output.value')",
        rows="when(!parent_id, [@])",
        columns=(
            Column(c.QUESTION, "attributes.input.value", 'question("attributes.input.value")'),
            Column(c.PIPELINE, "attributes.llm.model_name", '"attributes.llm.model_name" || `null`'),
            Column(c.RESPONSE, "attributes.output.value", 'answer("attributes.output.value")'),
            Column(c.CONTEXTS, "attributes.retrieval.documents", 'list("attributes.retrieval.documents")'),
            Column(c.THEIR_SCORES, SCORES, "columns(@, 'eval.', '.score')"),
        ),
    ),
    Tool(
        name="a RAGChecker file",
        wrote="has(results[0], 'gt_answer') || has(@, 'query', 'gt_answer')",
        rows="results || [@]",
        columns=(
            Column(c.QUESTION_ID, "query_id"),
            Column(c.QUESTION, "query"),
            Column(c.ANSWER, "gt_answer"),
            Column(c.RESPONSE, "response"),
            Column(c.CONTEXTS, "retrieved_context"),
            Column(c.THEIR_SCORES, SCORES, "metrics"),
        ),
    ),
    Tool(
        name="a Phoenix experiment",
        wrote="has(@, 'example_id', 'input', 'reference_output', 'output')",
        columns=(
            Column(c.QUESTION_ID, "example_id"),
            Column(c.QUESTION, "input", "question(input)"),
            Column(c.ANSWER, "reference_output", "answer(reference_output)"),
            Column(c.RESPONSE, "output", "when(!error, answer(output))"),
            Column(c.REPEAT, "repetition_number", "when(repetition_number > `1`, repetition_number)"),
            Column(c.LATENCY_MS, "latency_ms"),
            Column(c.CONTEXTS, "contexts", "contexts(output, metadata, input)"),
            Column(
                c.THEIR_SCORES,
                SCORES,
                "annotations[].{name: name, value: score} || columns(@, 'annotation_', '_score')",
            ),
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
            Column(c.QUESTION, "inputs", "question(part(@, 'inputs') || part(@, 'input'))"),
            Column(
                c.ANSWER,
                "reference_outputs",
                "answer(part(@, 'reference_outputs') || part(@, 'reference') || part(@, 'reference_example_outputs')"
                " || when(has(@, 'dataset_id') && !has(@, 'run_type'), part(@, 'outputs') || part(@, 'output')))",
            ),
            Column(c.PIPELINE, "session_name", "session_name || experiment"),
            Column(
                c.RESPONSE,
                "outputs",
                "when(!error && (has(@, 'run_type') || !has(@, 'dataset_id')),"
                " answer(part(@, 'outputs') || part(@, 'output')))",
            ),
            Column(
                c.CONTEXTS,
                "contexts",
                "contexts(part(@, 'outputs') || part(@, 'output'), part(@, 'inputs') || part(@, 'input'))",
            ),
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
            Column(c.CONTEXTS, "contexts", "called_contexts(@) || contexts(@)"),
            Column(c.THEIR_SCORES, SCORES, "metrics_called(@)"),
        ),
    ),
    Tool(
        name="Weave calls",
        wrote="has(@, 'op_name', 'inputs', 'output')",
        columns=(
            Column(c.QUESTION, "inputs.example", f"question({_WEAVE_EXAMPLE})"),
            Column(c.ANSWER, "inputs.example.expected", f"answer(word({_WEAVE_EXAMPLE}, 'answer'))"),
            Column(c.PIPELINE, "inputs.model", "last_part(inputs.model, '/') || inputs.model.name || inputs.model"),
            Column(c.RESPONSE, "output", "answer(output.model_output || output.output || output)"),
            Column(c.THEIR_SCORES, SCORES, "inner_scores(output.scores)"),
        ),
    ),
    Tool(
        name="OpenTelemetry GenAI spans",
        wrote="has(@, 'resourceSpans') || columns(attributes(@), 'gen_ai.', '')"
        " || columns(attributes(@), 'openinference.', '')",
        rows="(resourceSpans[].scopeSpans[].spans[] || [@])[].attributes(@)"
        " | [?\"openinference.span.kind\" != 'RETRIEVER']",
        columns=(
            Column(
                c.QUESTION,
                "gen_ai.input.messages",
                "lines(\"gen_ai.input.messages\"[?role == 'user'] | [-1].parts[?type == 'text'].content)"
                ' || "input.value"',
            ),
            Column(c.PIPELINE, "gen_ai.request.model", '"gen_ai.request.model" || "llm.model_name"'),
            Column(
                c.RESPONSE,
                "gen_ai.output.messages",
                'lines("gen_ai.output.messages"[-1].parts[?type == \'text\'].content) || "output.value"',
            ),
        ),
    ),
    Tool(
        name="a Braintrust experiment",
        wrote="has(@, 'input', 'expected', 'output', 'scores') && !has(@, 'models')",
        columns=(
            Column(c.QUESTION, "input", "question(input)"),
            Column(c.ANSWER, "expected", "answer(expected)"),
            Column(c.PIPELINE, "experiment", "experiment_name || experiment"),
            Column(c.RESPONSE, "output", "when(!error, answer(output))"),
            Column(c.LATENCY_MS, "metrics.duration", "times(minus(metrics.end, metrics.start), `1000`)"),
            Column(c.THEIR_SCORES, SCORES, "scores"),
        ),
    ),
    Tool(
        name="a KILT file",
        wrote="has(@, 'input') && has(output[0], 'answer')",
        columns=(
            Column(c.QUESTION_ID, "id", "id || _id"),
            Column(c.QUESTION, "input"),
            Column(c.ANSWER, "output.answer", "output[].answer"),
        ),
    ),
    Tool(
        name="BEIR queries",
        wrote="has(@, '_id', 'text') && !has(@, 'title')",
        columns=(
            Column(c.QUESTION_ID, "_id"),
            Column(c.QUESTION, "text"),
            Column(c.ANSWER, "metadata", "word(metadata, 'answer') || word(metadata, 'response')"),
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
        name="a LlamaIndex RAG dataset",
        wrote="has(examples[0], 'query', 'reference_answer')",
        rows="examples",
        columns=(
            Column(c.QUESTION, "query"),
            Column(c.ANSWER, "reference_answer"),
            Column(c.EVIDENCE, "reference_contexts"),
        ),
    ),
    Tool(
        name="questions with lists of accepted answers",
        wrote=readers.is_nq_open,
        columns=(
            Column(c.QUESTION, "question"),
            Column(c.ANSWER, "answer"),
            Column(c.FACT, "answer.variants", "answer"),
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
        name="MLflow traces",
        wrote="has(@, 'trace_id', 'request', 'response')",
        adds_ordinary=True,
        columns=(
            Column(c.QUESTION, "request", "question(request)"),
            Column(c.ANSWER, "expected_response/value", "expected(@)"),
            Column(c.FACT, "expected_facts/value", "all_of(assessed(@).expected_facts)"),
            Column(c.RESPONSE, "response", "answer(response)"),
            Column(c.LATENCY_MS, "execution_duration", "time(execution_duration, `1`)"),
            Column(c.THEIR_SCORES, SCORES, "feedback(@)"),
        ),
    ),
    Tool(
        name="an MLflow evaluation table",
        wrote="has(columns || keys(@), 'inputs', 'outputs') || columns(rows(columns, data)[0] || @, '', '/score')"
        " || (object(inputs) && object(expectations))",
        rows="rows(columns, data) || [@]",
        adds_ordinary=True,
        columns=(
            Column(c.QUESTION, "inputs", "question(inputs)"),
            Column(c.ANSWER, "expectations", "expected(@)"),
            Column(c.FACT, "expectations.expected_facts", "all_of(expectations.expected_facts)"),
            Column(c.RESPONSE, "outputs", "answer(outputs)"),
            Column(c.RESPONSE, "predictions", "answer(predictions)"),
            Column(c.LATENCY_MS, "latency", "time(latency, `1000`)"),
            Column(c.CONTEXTS, "retrieved_context"),
            Column(c.THEIR_SCORES, SCORES, "feedback(@)"),
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
            Column(c.CONTEXTS, "retrieval_context", readers.split_bars),
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
        rows="targets_apart(results || evaluations, tasks)",
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
        rows="so_far(@)",
        columns=(
            Column(c.QUESTION_ID, "question_id", "id"),
            Column(c.QUESTION, "turns", "words"),
            Column(c.ANSWER, "reference", "pick(reference, place)"),
            Column(c.CATEGORY, "category"),
        ),
    ),
    Tool(
        name="MT-bench answers",
        wrote="has(@, 'question_id', 'model_id') && has(choices[0], 'turns')",
        rows="numbered(spread(spread([@], 'choices'), 'turns'))",
        columns=(
            *(Column(c.QUESTION_ID, "question_id", "id"), Column(c.PIPELINE, "model_id")),
            Column(c.RESPONSE, "turns", "first(turns.content, turns)"),
        ),
    ),
    Tool(
        name="HotpotQA questions",
        wrote="has(@, '_id', 'question', 'answer', 'supporting_facts')",
        columns=(
            *(Column(c.QUESTION_ID, "_id"), Column(c.QUESTION, "question")),
            *(Column(c.ANSWER, "answer"), Column(c.CATEGORY, "type")),
        ),
    ),
    Tool(
        name="HotpotQA predictions",
        wrote="object(answer) && has(@, 'sp')",
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
        name="a Giskard test set",
        wrote="has(@, 'question', 'reference_answer', 'reference_context')",
        adds_ordinary=True,
        columns=(
            Column(c.QUESTION, "question"),
            Column(c.ANSWER, "reference_answer"),
            Column(c.CATEGORY, "metadata.question_type"),
            Column(c.RESPONSE, "agent_answer", "first(agent_answer, assistant)"),
            Column("", "correctness_reason"),
            Column(c.THEIR_SCORES, SCORES, "numbers(@, 'agent_answer', 'assistant')"),
        ),
    ),
    Tool(
        name="a Langfuse CSV",
        wrote="has(@, 'input', 'expectedOutput')",
        adds_ordinary=True,
        columns=(
            Column(c.QUESTION, "input", "question(json_text(input))"),
            Column(c.ANSWER, "expectedOutput", "answer(json_text(expectedOutput))"),
            Column(c.RESPONSE, "output", "answer(json_text(output))"),
            Column(c.CONTEXTS, "contexts", "contexts(output, input, metadata)"),
            Column(c.LATENCY_MS, "latency", "times(latency, `1000`)"),
            Column(c.THEIR_SCORES, SCORES, "numbers(@, 'expectedOutput', 'metadata', 'createdAt', 'updatedAt')"),
        ),
    ),
    Tool(
        name="SQuAD predictions",  # or any responses by id: ids, unlike names of columns, have digits in them
        wrote=readers.is_answers_by_id,
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
