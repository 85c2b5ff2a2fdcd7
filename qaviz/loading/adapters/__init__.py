"""Files of other tools, known by their content: which tool wrote a file, and which column is which word of ours.

One `Tool` each, in the order in which they are tried.
"""

from collections.abc import Mapping, Sequence

from qaviz.loading.adapters.evaluation import (
    LLM_COMPARATOR,
    LM_EVAL,
    OPIK,
    SQUAD,
    SQUAD_PREDICTIONS,
    VERTEX,
    choose_gold,
    find_duration,
    is_nq_open,
    is_ragas,
    join_samples,
    list_bedrock_passages,
    list_called_contexts,
    list_ragas_scores,
    list_trulens_scores,
    list_weave_scores,
    name_trulens_app,
    name_weave_model,
    read_cell,
    read_conversation,
    read_helm_completion,
    split_bars,
)
from qaviz.loading.adapters.experiments import MLFLOW, PROMPTFOO
from qaviz.loading.adapters.json_document import JSON_DOCUMENT, needs_search
from qaviz.loading.adapters.logs import INSPECT, OPENTELEMETRY
from qaviz.loading.adapters.records import (
    DOCUMENT_LIMIT,
    JSON_SUFFIXES,
    PARQUET_SUFFIX,
    WORKBOOK_SUFFIX,
    is_document,
    read_first_record,
)
from qaviz.loading.adapters.tool import SCORES, Column, Record, Tool, find_contexts
from qaviz.loading.column_mapping import IGNORE, Role
from qaviz.loading.source import Source
from qaviz.model import columns as c
from qaviz.model.errors import QavizError
from qaviz.model.plugins import load_plugins

RAGAS = Tool(
    name="Ragas results",
    wrote=is_ragas,
    adds_ordinary=True,
    columns=(
        Column(c.QUESTION, "user_input", read_conversation),
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
        Column(c.THEIR_SCORES, SCORES, list_ragas_scores),
    ),
)

_SQUAD_SPANS = (Column(c.ANSWER, "answers", "answers.text"), Column(c.FACT, "answers.text"))
"""The spans twice: they are as short as facts are."""
_DEEPEVAL_CASES = "(testRunData || @).testCases || (testRunData || @).test_cases"
_TRIVIAQA_ANSWER = "(Answer || answer)"
_BEDROCK_RESULTS = "_file.automatedEvaluationResult.scores"
_WEAVE_EXAMPLE = "(inputs.example || example || inputs)"

TOOLS: Sequence[Tool] = (
    RAGAS,
    PROMPTFOO,
    SQUAD,
    Tool(
        name="rows of a SQuAD dataset",
        wrote="type(question) == 'string' && type(answers.text) == 'array'",
        adds_ordinary=True,
        columns=(
            Column(c.QUESTION_ID, "id"),
            Column(c.QUESTION, "question"),
            *_SQUAD_SPANS,
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
            Column(c.CONTEXTS, "retrievedPassages", list_bedrock_passages),
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
            Column(c.ANSWER, "doc.gold", choose_gold),
            Column(
                c.RESPONSE,
                "model_response.text",
                "first_text(model_response.text || __model_response__.text || predictions)",
            ),
            Column(c.THEIR_SCORES, SCORES, "metric || __metric__ || metrics"),
        ),
    ),
    LM_EVAL,
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
            Column(c.RESPONSE, "result.completions", read_helm_completion),
            Column(c.LATENCY_MS, "result.request_time", "times(result.request_time, `1000`)"),
        ),
    ),
    Tool(
        name="an OpenAI evals log",
        wrote="has(spec, 'completion_fns') || has(@, 'sample_id', 'event_id', 'data')",
        gather=join_samples,
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
    VERTEX,
    OPIK,
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
            Column(c.PIPELINE, "app_id", name_trulens_app),
            Column(c.RESPONSE, "output", "answer(output)"),
            Column(c.CONTEXTS, "contexts", lambda row: list_called_contexts(row) or find_contexts(row)),
            Column(c.THEIR_SCORES, SCORES, list_trulens_scores),
        ),
    ),
    Tool(
        name="Weave calls",
        wrote="has(@, 'op_name', 'inputs', 'output')",
        columns=(
            Column(c.QUESTION, "inputs.example", f"question({_WEAVE_EXAMPLE})"),
            Column(c.ANSWER, "inputs.example.expected", f"answer(word({_WEAVE_EXAMPLE}, 'answer'))"),
            Column(c.PIPELINE, "inputs.model", name_weave_model),
            Column(c.RESPONSE, "output", "answer(output.model_output || output.output || output)"),
            Column(c.THEIR_SCORES, SCORES, list_weave_scores),
        ),
    ),
    OPENTELEMETRY,
    Tool(
        name="a Braintrust experiment",
        wrote="has(@, 'input', 'expected', 'output', 'scores') && !has(@, 'models')",
        columns=(
            Column(c.QUESTION, "input", "question(input)"),
            Column(c.ANSWER, "expected", "answer(expected)"),
            Column(c.PIPELINE, "experiment", "experiment_name || experiment"),
            Column(c.RESPONSE, "output", "when(!error, answer(output))"),
            Column(c.LATENCY_MS, "metrics.duration", find_duration),
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
        wrote=is_nq_open,
        columns=(
            Column(c.QUESTION, "question"),
            Column(c.ANSWER, "answer"),
            Column(c.FACT, "answer.variants", "answer"),
        ),
    ),
    INSPECT,
    MLFLOW,
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
            Column(c.CONTEXTS, "retrieval_context", split_bars),
            Column(c.THEIR_SCORES, SCORES, "(metricsData || metrics_data)[].{name: name, value: score, error: error}"),
        ),
    ),
    LLM_COMPARATOR,
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
            Column(c.QUESTION, "input", lambda row: read_cell(row.get("input"))),
            Column(c.ANSWER, "expectedOutput", lambda row: read_cell(row.get("expectedOutput"))),
            Column(c.RESPONSE, "output", lambda row: read_cell(row.get("output"))),
            Column(c.CONTEXTS, "contexts", "contexts(output, input, metadata)"),
            Column(c.LATENCY_MS, "latency", "times(latency, `1000`)"),
            Column(c.THEIR_SCORES, SCORES, "numbers(@, 'expectedOutput', 'metadata', 'createdAt', 'updatedAt')"),
        ),
    ),
    SQUAD_PREDICTIONS,
)
"""The first that knows a file takes it."""


def find_tool(source: Source) -> Tool | None:
    """The tool that wrote the file, by its content; None for a file of any other kind.

    Raises QavizError for a file that cannot be opened, and for a JSON document that breaks somewhere.
    """
    record = read_first_record(source)
    if source.suffix in (PARQUET_SUFFIX, WORKBOOK_SUFFIX) and record and RAGAS.recognises(record):
        return RAGAS
    if source.suffix == WORKBOOK_SUFFIX:
        return None
    if source.suffix == PARQUET_SUFFIX and not (record and needs_search(record)):
        return None  # its columns are texts as they stand, and are read part by part
    tools = (*load_plugins("qaviz.readers", Tool), *TOOLS) if record else ()
    tool = next((tool for tool in tools if record and tool.recognises(record)), None)
    return tool or (JSON_DOCUMENT if is_unknown_json(source, record) else None)


def is_unknown_json(source: Source, record: Record | None) -> bool:
    """Whether the file is a JSON document, or JSON Lines or Parquet with objects and lists where texts belong."""
    if source.suffix == PARQUET_SUFFIX:
        return record is not None and needs_search(record)
    if source.suffix not in JSON_SUFFIXES:
        return False
    return is_document(source) or (source.size <= DOCUMENT_LIMIT and record is not None and needs_search(record))


def is_from_tool(source: Source) -> bool:
    """Whether a tool that is known wrote the file. One that cannot be read has none: loading it says why."""
    try:
        return find_tool(source) not in (None, JSON_DOCUMENT)
    except QavizError:
        return False


def map_columns(tool: Tool, columns: Sequence[str], role: Role, mapping: Mapping[str, str]) -> dict[str, str]:
    """A mapping of all these columns: what `mapping` says, for the other words what the tool's columns mean."""
    words = dict(mapping)
    for name, word in tool.words.items():
        if name in columns and name not in words and word in role.names and word not in words.values():
            words[name] = word
    return {name: IGNORE for name in columns if name not in words} | words
