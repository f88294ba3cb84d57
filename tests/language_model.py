"""A server with the documented shapes of the chat completions API, for tests of its clients."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[Mapping[str, Any]], Any]
"""Takes what the model is asked about (claim, title, sentences), and gives its answer."""


@dataclass(frozen=True)
class Failure:
    """An answer with another status, or one that comes late."""

    status: int = 200
    body: str = "{}"
    seconds: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Served:
    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)


def by_words(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Judge by the word "not", as no model would, so that a test knows what comes."""
    sentences = asked["sentences"]
    words = {word for word in asked["claim"].lower().split() if len(word) > 3}
    best = max(sentences, key=lambda each: len(words & set(each["text"].lower().split())))
    label = "REFUTES" if " not " in best["text"] else "SUPPORTS"
    return {"label": label, "sentences": [best["number"]]}


def completion(answer: Any, probability: float | None) -> dict[str, Any]:
    """Give a chat completion; with a probability, its tokens have log-probabilities."""
    content = answer if isinstance(answer, str) else json.dumps(answer)
    choice: dict[str, Any] = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": content},
    }
    if probability is not None:
        choice["logprobs"] = {"content": list(_tokens(content, probability))}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_760_000_000,
        "model": "tiny",
        "choices": [choice],
        "usage": {"prompt_tokens": 120, "completion_tokens": 12, "total_tokens": 132},
    }


def _tokens(content: str, probability: float) -> Iterator[dict[str, Any]]:
    """Cut the answer into tokens of three characters; the label's first one is uncertain."""
    reached = 0
    start = content.find('"label": "') + len('"label": "')
    while reached < len(content):
        end = start if reached < start < reached + 3 else reached + 3
        token = content[reached:end]
        sure = reached == start
        options = {token: probability if sure else 1.0}
        if sure:
            others = [each for each in ("SUP", "REF", "NOT") if each != token]
            options |= dict.fromkeys(others, (1 - probability) / 2)
        yield {
            "token": token,
            "logprob": math.log(options[token]),
            "top_logprobs": [
                {"token": each, "logprob": math.log(share)} for each, share in options.items()
            ],
        }
        reached = end


@contextmanager
def serving(answer: Answer = by_words, probability: float | None = 0.9) -> Iterator[Served]:
    """Serve until the block ends; an answer may be a `Failure` instead of a judgement."""
    served = Served("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            served.requests.append(request)
            served.headers.append(dict(self.headers))
            given = answer(json.loads(request["messages"][1]["content"]))
            if not isinstance(given, Failure):
                with_tokens = probability if request.get("logprobs") else None
                given = Failure(body=json.dumps(completion(given, with_tokens)))
            time.sleep(given.seconds)
            content = given.body.encode()
            self.send_response(given.status)
            for name, value in given.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
