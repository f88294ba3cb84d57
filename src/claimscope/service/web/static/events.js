// Reads server-sent events. Unlike an EventSource it can send a form, and it never reconnects.

export async function* events(address, options) {
  const answer = await fetch(address, { ...options, headers: { Accept: "text/event-stream" } });
  if (!answer.ok) throw new Error(answer.statusText);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const [name, data] = part.split("\ndata: ");
      yield { name: name.replace("event: ", ""), data: JSON.parse(data) };
    }
  }
}

// Returns the abort signal of a request that ends when the next one starts or the page closes.
export function oneAtATime() {
  let running = null;
  window.addEventListener("pagehide", () => running?.abort());
  return () => {
    running?.abort();
    running = new AbortController();
    return running.signal;
  };
}
