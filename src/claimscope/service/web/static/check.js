// Checks a claim without leaving the page: papers appear first, then the verdict.
import { events, oneAtATime } from "./events.js";
import { complain, say } from "./progress.js";

export function streamChecks(form) {
  if (!form) return;
  const field = form.elements.claim;
  const begin = oneAtATime();
  let shown = window.location.search;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const claim = field.value.trim();
    if (claim) check(claim, begin());
  });
  field.addEventListener("keydown", (event) => {
    // A claim has one line: Enter sends it, as in any search field.
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  window.addEventListener("popstate", () => {
    // A link within the page also makes a history entry, but shows the same result.
    if (window.location.search !== shown) window.location.reload();
  });

  async function check(claim, signal) {
    const words = new URLSearchParams(new FormData(form));
    words.set("claim", claim);
    const address = `/?${words}`;
    let last = "";
    say("Looking for papers…", true);
    document.querySelectorAll(".opening, .opening-hints").forEach((part) => part.classList.add("done"));
    try {
      for await (const { name, data } of events(`/stream?${words}`, { signal })) {
        last = name;
        if (name === "problem") complain(data.detail);
        else show(data, name === "candidates");
      }
    } catch {
      if (signal.aborted) return;
    }
    if (last === "verdict") {
      window.history.pushState({}, "", address);
      shown = window.location.search;
      document.title = `${claim} – Claimscope`;
    } else if (last !== "problem") {
      // The server refused or is gone; the full page shows the reason.
      window.location.assign(address);
    }
  }

  function show(part, isBusy) {
    const result = document.getElementById("result");
    const before = cardBeingRead(result);
    // The server has escaped all text in it.
    result.innerHTML = part.html;
    say(part.said, isBusy);
    const after = before && result.querySelector(`[data-paper="${CSS.escape(before.paper)}"]`);
    // The cards are in another order now; the one that is being read stays where it is.
    if (after) window.scrollBy({ top: after.getBoundingClientRect().top - before.top, behavior: "instant" });
  }
}

// Returns the first card in view if the reader has scrolled past the verdict.
function cardBeingRead(result) {
  const banner = result.querySelector(".verdict");
  if (!banner || banner.getBoundingClientRect().bottom > 0) return null;
  const card = [...result.querySelectorAll("[data-paper]")].find((each) => each.getBoundingClientRect().bottom > 80);
  return card ? { paper: card.dataset.paper, top: card.getBoundingClientRect().top } : null;
}
