// Checks a claim without leaving the page: papers appear first, then the verdict.

export function streamChecks(form) {
  if (!form || !window.EventSource) return;
  const field = form.elements.claim;
  let source = null;
  let shown = window.location.search;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const claim = field.value.trim();
    if (claim) begin(claim);
  });
  field.addEventListener("keydown", (event) => {
    // A claim has one line: Enter sends it, as in any search field.
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  window.addEventListener("popstate", () => {
    // A link within the page moves through the history as well, and shows nothing else.
    if (window.location.search !== shown) window.location.reload();
  });

  function begin(claim) {
    const words = new URLSearchParams(new FormData(form));
    words.set("claim", claim);
    const address = `/?${words}`;
    source?.close();
    source = new EventSource(`/stream?${words}`);
    let hasAnswer = false;
    say("Looking for papers…");
    document.querySelectorAll(".opening, .opening-hints").forEach((part) => part.classList.add("done"));
    document.getElementById("progress").classList.remove("hidden");
    source.addEventListener("candidates", (event) => show(JSON.parse(event.data), true));
    source.addEventListener("verdict", (event) => {
      hasAnswer = true;
      source.close();
      show(JSON.parse(event.data), false);
      window.history.pushState({}, "", address);
      shown = window.location.search;
      document.title = `${claim} – Claimscope`;
    });
    source.addEventListener("problem", (event) => {
      hasAnswer = true;
      source.close();
      say(JSON.parse(event.data).detail);
    });
    source.onerror = () => {
      source.close();
      // The server refused or went away; its own page says why.
      if (!hasAnswer) window.location.assign(address);
    };
  }

  function show(part, isBusy) {
    const place = document.getElementById("result");
    place.setAttribute("aria-busy", String(isBusy));
    // The server has escaped every text of it.
    place.innerHTML = part.html;
    // The verdict stands on the page; those who hear the page are told all the same.
    document.getElementById("progress").classList.toggle("hidden", !isBusy);
    say(part.said);
  }
}

function say(words) {
  document.getElementById("progress").textContent = words;
}
