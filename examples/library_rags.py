"""The demonstration RAG built with four libraries, each asked through a function. None is needed by qaviz itself.

    qaviz ask golden.jsonl --pipeline demo=python:library_rags:langchain_answer --out responses.jsonl

Retrieval is BM25 of demo_rag; in place of a language model the passages found are the answer.
"""

from functools import cache

import demo_rag


def find(question):
    """The passages for a question."""
    return demo_rag.answer(question)["contexts"]


@cache
def langchain_chain():
    """A chain of Runnables."""
    from langchain_core.documents import Document
    from langchain_core.runnables import RunnableLambda, RunnablePassthrough

    retrieve = RunnableLambda(lambda question: [Document(page_content=each) for each in find(question)])
    write = RunnableLambda(lambda found: " ".join(each.page_content for each in found["context"]))
    return {"context": retrieve} | RunnablePassthrough.assign(answer=write)


def langchain_answer(question):
    """LangChain: any Runnable."""
    found = langchain_chain().invoke(question)
    return {"response": found["answer"], "contexts": [each.page_content for each in found["context"]]}


@cache
def llamaindex_engine():
    """A query engine."""
    from llama_index.core.base.response.schema import Response
    from llama_index.core.query_engine import CustomQueryEngine
    from llama_index.core.schema import NodeWithScore, TextNode

    class Engine(CustomQueryEngine):
        def custom_query(self, query_str):
            nodes = [NodeWithScore(node=TextNode(text=each)) for each in find(query_str)]
            return Response(response=" ".join(each.get_content() for each in nodes), source_nodes=nodes)

    return Engine()


def llamaindex_answer(question):
    """LlamaIndex: a query engine."""
    found = llamaindex_engine().query(question)
    return {"response": str(found), "contexts": [each.get_content() for each in found.source_nodes]}


@cache
def haystack_pipeline():
    """A Pipeline of two components."""
    from haystack import Document, Pipeline, component

    @component
    class Retriever:
        @component.output_types(documents=list[Document])
        def run(self, query: str):
            return {"documents": [Document(content=each) for each in find(query)]}

    @component
    class Writer:
        @component.output_types(replies=list[str])
        def run(self, documents: list[Document]):
            return {"replies": [" ".join(each.content for each in documents)]}

    pipeline = Pipeline()
    pipeline.add_component("retriever", Retriever())
    pipeline.add_component("writer", Writer())
    pipeline.connect("retriever.documents", "writer.documents")
    return pipeline


def haystack_answer(question):
    """Haystack: a Pipeline, with the retriever's documents as contexts."""
    found = haystack_pipeline().run({"retriever": {"query": question}}, include_outputs_from={"retriever"})
    contexts = [each.content for each in found["retriever"]["documents"]]
    return {"response": found["writer"]["replies"][0], "contexts": contexts}


@cache
def dspy_program():
    """A Module."""
    import dspy

    class Program(dspy.Module):
        def forward(self, question):
            found = find(question)
            return dspy.Prediction(answer=" ".join(found), context=found)

    return Program()


def dspy_answer(question):
    """DSPy: a Module."""
    found = dspy_program()(question=question)
    return {"response": found.answer, "contexts": found.context}
