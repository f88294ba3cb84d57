// Checks a text without leaving the page: its sentences appear first, then each claim's verdict.
import { events, oneAtATime } from "./events.js";
import { complain, say } from "./progress.js";

export function streamTexts(form) {
  if (!form) return;
  const result = document.getElementById("result");
  const begin = oneAtATime();
  // A text has no address of its own, so the history entry stores the result.
  if (window.history.state?.answer) {
    form.elements.text.value = window.history.state.text;
    result.innerHTML = window.history.state.answer;
  }
  // A link to a claim makes a new history entry.
  window.addEventListener("hashchange", keep);
  form.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("formaction")) return; // The results as a file.
    event.preventDefault();
    check(begin());
  });

  async function check(signal) {
    const body = new FormData(form);
    let isRead = false;
    let problem = "The connection to the server was lost; send the text again to check the rest.";
    say("Looking for claims…", true);
    try {
      for await (const { name, data } of events("/text/stream", { method: "POST", body, signal })) {
        isRead = true;
        if (name === "sentences") showText(data);
        else if (name === "problem") problem = data.detail;
        else showClaim(data);
      }
    } catch {
      if (signal.aborted) return;
    }
    if (!isRead) form.submit(); // The server refused or is gone; the full page shows the reason.
    else end(problem);
  }

  function showText(part) {
    // The server has escaped all text in it.
    result.innerHTML = part.html;
    say(part.said, true);
  }

  function showClaim(part) {
    document.getElementById(`claim-${part.number}`).outerHTML = part.html;
    result.querySelector(`a[href="#claim-${part.number}"]`).className = `found ${part.tone}`;
    say(part.said, true);
  }

  function end(problem) {
    const waiting = result.querySelectorAll(".pending");
    if (waiting.length) complain(problem);
    else say(result.querySelector(".claims li") ? "All claims are checked." : "There is no claim to check.", false);
    waiting.forEach((line) => { line.textContent = "Not checked."; });
    keep();
  }

  function keep() {
    window.history.replaceState({ text: form.elements.text.value, answer: result.innerHTML }, "");
  }
}
