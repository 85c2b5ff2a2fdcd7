"""Uploads go to the disk, and the server's memory is rid of them."""

from streamlit.testing.v1 import AppTest


def page():
    """Says what Streamlit holds of the uploads, and what their files hold, in bytes."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from qaviz.uploads import on_disk

    st.file_uploader("Files", accept_multiple_files=True, key="field")
    sources = on_disk("field")
    files = st.session_state["field"]
    context = get_script_run_ctx()
    held = context.uploaded_file_mgr.get_files(context.session_id, [each.file_id for each in files])
    st.text([len(each.data) for each in held] + [len(each.getvalue()) for each in files])
    st.text([(each.name, each.size) for each in sources])


def test_the_servers_memory_has_no_upload():
    """The same bytes are on the disk, under the visitor's name, and Streamlit holds none of them."""
    app = AppTest.from_function(page).run()
    app.file_uploader[0].set_value([("a.jsonl", b"x" * 1_000, "text/plain"), ("b.csv", b"y" * 20, "text/csv")])
    app.run()
    assert not app.exception
    assert [each.value for each in app.text] == ["[0, 0, 0, 0]", "[('a.jsonl', 1000), ('b.csv', 20)]"]


def test_an_upload_that_is_taken_out_is_gone():
    """The page has only what stands in the fields."""
    app = AppTest.from_function(page).run()
    app.file_uploader[0].set_value([("a.jsonl", b"x", "text/plain")]).run()
    app.file_uploader[0].set_value([]).run()
    assert app.text[1].value == "[]"
