"""Language models on servers that speak the chat completions API of OpenAI.

- `server.py` sends a request, with time limits and repeats.
- `replies.py` keeps replies by the content of the request.
"""
