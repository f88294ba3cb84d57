// Tells how far an answer is: on the page while it is being made, and to those who hear the page.

export function say(words, isBusy) {
  const line = document.getElementById("progress");
  document.getElementById("result").setAttribute("aria-busy", String(isBusy));
  // The answer itself stands on the page once it is there.
  line.classList.toggle("hidden", !isBusy);
  line.textContent = words;
}

export function complain(words) {
  say(words, false);
  document.getElementById("progress").classList.remove("hidden");
}
