// Updates the progress of a job, also for screen readers.

const PAUSE = 1000;

export async function followJobs(place) {
  const isOpen = () => place.firstElementChild?.dataset.open === "yes";
  if (!isOpen()) return;
  while (isOpen()) {
    await new Promise((resume) => setTimeout(resume, PAUSE));
    try {
      const answer = await fetch(`/jobs/${place.dataset.job}/panel`, { headers: { Accept: "text/html" } });
      // The session has ended; reloading the page leads to the login.
      if (answer.redirected) break;
      if (answer.ok) update(place, await answer.text());
    } catch {
      announce("The server does not answer; trying again.");
    }
  }
  // The server renders the results into the page.
  window.location.reload();
}

function update(place, text) {
  const made = document.createElement("div");
  made.innerHTML = text;
  if (made.firstElementChild.dataset.open === "yes") {
    // Replace only what changes, so that the button stays in place while somebody presses it.
    place.firstElementChild.className = made.firstElementChild.className;
    for (const part of [".state", "progress"]) {
      const [old, now] = [place.querySelector(part), made.querySelector(part)];
      if (old && now) old.replaceWith(now);
    }
  } else {
    place.replaceChildren(...made.childNodes);
  }
  announce(place.querySelector(".state")?.textContent ?? "");
}

function announce(words) {
  const live = document.getElementById("progress");
  if (live && live.textContent !== words) live.textContent = words;
}
