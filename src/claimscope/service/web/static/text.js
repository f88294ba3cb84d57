// Checks a text without leaving the page: its sentences appear first, then each claim's verdict.
import { events, oneAtATime } from "./events.js";
import { complain, say } from "./progress.js";

export function streamTexts(form) {
  if (!form) return;
  const result = document.getElementById("result");
  const begin = oneAtATime();
  // A text has no address of its own; whoever comes back to it finds what was there.
  if (window.history.state?.answer) {
    form.elements.text.value = window.history.state.text;
    result.innerHTML = window.history.state.answer;
  }
  // A link to a claim makes an entry of its own in the history.
  window.addEventListener("hashchange", keep);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check(begin());
  });

  async function check(signal) {
    const body = new FormData(form);
    let isRead = false;
    let problem = "The server went away; what is not checked yet can be sent again.";
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
    if (!isRead) form.submit(); // The server refused or went away; its own page says why.
    else end(problem);
  }

  function showText(part) {
    // The server has escaped every text of it.
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
    else say(result.querySelector(".claims li") ? "Every claim is checked." : "There is no claim to check.", false);
    waiting.forEach((line) => { line.textContent = "Not checked."; });
    keep();
  }

  function keep() {
    window.history.replaceState({ text: form.elements.text.value, answer: result.innerHTML }, "");
  }
}
