// Sorts and filters tables of studies; the rows are also readable without scripts.

export function sortAndFilterTables() {
  document.documentElement.classList.add("scripted");
  // A result arrives later than this runs, so the document listens for its tables.
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".studies .sort");
    if (button) sort(button.closest("th"));
  });
  document.addEventListener("input", (event) => {
    if (event.target.matches?.(".studies .filter")) filter(event.target.closest("table"));
  });
}

function sort(heading) {
  const isRising = heading.getAttribute("aria-sort") !== "ascending";
  const place = heading.cellIndex;
  const rows = [...heading.closest("table").tBodies[0].rows];
  for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", isRising ? "ascending" : "descending");
  rows.sort((one, two) => compare(value(one.cells[place]), value(two.cells[place]), isRising));
  heading.closest("table").tBodies[0].append(...rows);
}

function value(cell) {
  return cell.dataset.sort ?? cell.textContent.trim();
}

function compare(one, two, isRising) {
  // What is not stated comes last in both directions.
  if (!one || !two) return (one ? 0 : 1) - (two ? 0 : 1);
  const order = one.localeCompare(two, "en", { numeric: true });
  return isRising ? order : -order;
}

function filter(table) {
  const words = [...table.querySelectorAll(".filter")].map((field) => field.value.trim().toLowerCase());
  const rows = [...table.tBodies[0].rows];
  for (const row of rows) {
    row.hidden = words.some((word, place) => !row.cells[place].textContent.toLowerCase().includes(word));
  }
  const shown = rows.filter((row) => !row.hidden).length;
  const line = table.closest(".studies").querySelector("output");
  line.textContent = shown === rows.length ? "" : `${shown} of ${rows.length} shown`;
}
