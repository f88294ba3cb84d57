"""Serves a GGUF model by the engine of llama.cpp, where there is no `llama-server` on the machine.

python tests/llama_server.py MODEL.gguf PORT
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from ik_llama_cpp import IkLlama


def main(model: str, port: int) -> None:
    engine = IkLlama(model, n_ctx=2048, n_threads=2, verbose=False)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            given = engine.create_chat_completion(
                messages=asked["messages"], temperature=0.0, max_tokens=asked["max_tokens"]
            )
            content = json.dumps(given).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

    HTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
