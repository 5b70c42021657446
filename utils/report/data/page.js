"use strict";
// Tables sort by a click on a heading and filter by words; without this script they are plain tables.
for (const table of document.querySelectorAll("table.data")) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const headings = Array.from(table.tHead.rows[0].cells);
  headings.forEach((heading, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const up = heading.getAttribute("aria-sort") !== "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[place].dataset.value ?? row.cells[place].textContent;
      const gap = (row) => row.cells[place].dataset.value === "";
      const numeric = !heading.classList.contains("text");
      const ordered = rows.slice().sort((one, other) => {
        if (gap(one) || gap(other)) return gap(one) - gap(other); // gaps last, whichever the direction
        const order = numeric ? key(one) - key(other) : key(one).localeCompare(key(other), undefined, { numeric: true });
        return up ? order : -order;
      });
      body.append(...ordered);
    });
  });
  const box = table.closest(".card").querySelector(`.filter[data-for="${table.id}"]`);
  if (!box) continue;
  const input = box.querySelector("input");
  const status = box.querySelector("output");
  box.hidden = false;
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const texts = Array.from(row.cells, (cell) => cell.textContent.toLowerCase());
      const fits = words.every((word) => texts.some((text) => text.includes(word)));
      row.hidden = !fits;
      shown += fits;
    }
    status.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
  });
}
