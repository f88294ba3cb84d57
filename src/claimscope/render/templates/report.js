"use strict";
// Filters the claims of the report; the page can be read without it.
(() => {
  const byId = (id) => document.getElementById(id);
  const form = byId("filters");
  const claims = [...document.querySelectorAll("details.claim")].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
    causes: element.dataset.causes.split(" "),
  }));

  const wanted = (claim) =>
    byId("words").value.toLowerCase().split(/\s+/).every((word) => claim.text.includes(word)) &&
    (!byId("cause").value || claim.causes.includes(byId("cause").value)) &&
    (!byId("verdict").value || claim.element.dataset.verdict === byId("verdict").value) &&
    (!byId("lost").checked || "lost" in claim.element.dataset);

  const update = () => {
    let shown = 0;
    for (const claim of claims) {
      claim.element.hidden = !wanted(claim);
      shown += claim.element.hidden ? 0 : 1;
    }
    byId("count").textContent = `${shown} of ${claims.length} claims`;
  };

  const openAll = () => {
    const shown = claims.filter((claim) => !claim.element.hidden);
    const opening = shown.some((claim) => !claim.element.open);
    for (const claim of shown) claim.element.open = opening;
    byId("open").textContent = opening ? "Close all shown" : "Open all shown";
  };

  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  byId("open").addEventListener("click", openAll);
  form.hidden = false;
  update();
})();
