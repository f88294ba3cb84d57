"use strict";
// Counts the marks, keeps them in the browser and saves them as a file.
(() => {
  const byId = (id) => document.getElementById(id);
  const { key, run, dataset, split } = document.body.dataset;
  const claims = [...document.querySelectorAll("[data-claim]")];
  const fieldsOf = (claim) => [...claim.querySelectorAll("fieldset")];
  const markOf = (field) => field.querySelector("input:checked")?.value ?? null;

  const verdictOf = (claim) => {
    const marks = fieldsOf(claim).map(markOf);
    if (marks.length === 0) return "nothing found";
    if (marks.includes(null)) return "open";
    const reasonable = marks.filter((mark) => mark === "reasonable").length;
    return 2 * reasonable >= marks.length ? "plausible" : "not plausible";
  };

  const record = () => ({
    run, dataset, split,
    claims: claims.map((claim) => ({
      id: claim.dataset.claim,
      verdict: verdictOf(claim),
      marks: Object.fromEntries(fieldsOf(claim).map((field) => [field.dataset.document, markOf(field)])),
    })),
  });

  const words = {
    "open": "",
    "plausible": "The claim counts as plausible.",
    "not plausible": "The claim does not count as plausible.",
    "nothing found": "No abstract was found, so the claim does not count.",
  };

  const update = () => {
    const verdicts = claims.map(verdictOf);
    claims.forEach((claim, at) => { claim.querySelector(".result").textContent = words[verdicts[at]]; });
    const plausible = verdicts.filter((verdict) => verdict === "plausible").length;
    const open = verdicts.filter((verdict) => verdict === "open").length;
    byId("count").textContent =
      `${plausible} of ${claims.length} claims plausible` + (open ? `, ${open} still to be marked` : "");
  };

  const kept = () => {
    try { return JSON.parse(localStorage.getItem(key) ?? "null"); } catch { return null; }
  };
  const keep = () => {
    // A browser may refuse to store anything for a file; the marks can still be saved.
    try { localStorage.setItem(key, JSON.stringify(record())); } catch { /* counted all the same */ }
  };

  for (const { id, marks } of kept()?.claims ?? []) {
    const claim = claims.find((each) => each.dataset.claim === id);
    for (const field of claim ? fieldsOf(claim) : []) {
      const input = [...field.querySelectorAll("input")].find((each) => each.value === marks[field.dataset.document]);
      if (input) input.checked = true;
    }
  }

  document.addEventListener("change", () => { update(); keep(); });
  byId("save").addEventListener("click", () => {
    const file = new Blob([JSON.stringify(record(), null, 2) + "\n"], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = "plausibility.json";
    link.click();
    URL.revokeObjectURL(link.href);
  });
  byId("save").hidden = false;
  update();
})();
