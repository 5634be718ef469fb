// Sorting by a click on a heading, and subjects that the viewer shows when asked. On a page that is
// served, the files of a run are links.
const number = (text) => {
  const value = Number.parseFloat(text.replace("\u2013", "NaN").replace("\u2212", "-").replace(/^< /, ""));
  return Number.isNaN(value) ? null : value;
};

function compare(a, b) {
  const x = number(a);
  const y = number(b);
  if (x !== null && y !== null) return x - y;
  if (x !== null || y !== null) return x === null ? 1 : -1;
  return a.localeCompare(b, undefined, { numeric: true });
}

export function makeSortable(table) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((cell, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = cell.textContent;
    cell.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = cell.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((a, b) => compare(a.cells[column].textContent, b.cells[column].textContent));
      body.append(...(down ? rows.reverse() : rows));
    });
  });
}

function makeShowable(table, run, show) {
  for (const row of table.tBodies[0].rows) {
    const cell = row.cells[0];
    const id = cell.textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "show";
    button.textContent = id;
    button.title = "Show in the viewer";
    button.addEventListener("click", () => show(run, id));
    cell.replaceChildren(button);
  }
}

export function enhanceTables(show) {
  for (const article of document.querySelectorAll("article.run")) {
    const run = Number(article.dataset.run);
    for (const table of article.querySelectorAll("table.sortable")) {
      if (table.classList.contains("subjects")) makeShowable(table, run, show);
      makeSortable(table);
    }
    if (!location.protocol.startsWith("http")) continue;
    for (const item of article.querySelectorAll("ul.files li")) {
      const link = document.createElement("a");
      link.href = `run/${run}/${encodeURIComponent(item.textContent)}`;
      link.textContent = item.textContent;
      link.download = item.textContent;
      item.replaceChildren(link);
    }
  }
}
