// Shows the progress of a result, also for screen readers.

export function say(words, isBusy) {
  const line = document.getElementById("progress");
  document.getElementById("result").setAttribute("aria-busy", String(isBusy));
  // Hide the progress once the result is on the page.
  line.classList.toggle("hidden", !isBusy);
  line.textContent = words;
}

export function complain(words) {
  say(words, false);
  document.getElementById("progress").classList.remove("hidden");
}
