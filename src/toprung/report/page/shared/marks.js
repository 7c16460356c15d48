// What does a mark of a chart stand for? Its row of the table, or its own title, said beside it to a pointer and to the
// keyboard. Without script every mark is a link that Tab reaches, and the table says the same.

const CHART = ":is(.plot, figure.chart) svg";
const MARK = `${CHART} a, ${CHART} :is(circle, rect, path):has(> title)`;

const markTip = document.createElement("div");
markTip.className = "marktip";
markTip.setAttribute("aria-hidden", "true"); // what it shows stands in the table, and in the label of the mark
markTip.hidden = true;

// What stands below a figure is its interval; below a name, who it belongs to. A row that is folded away has no inner text.
function inOneLine(cell) {
  const [first = "", ...below] = (cell.innerText || cell.textContent).split("\n").map((line) => line.replace(/\s+/g, " ").trim()).filter(Boolean);
  const rest = below.join(", ");
  if (!rest || cell.tagName === "TH" && cell.scope !== "row") return [first, ...below].join(" ");
  return cell.classList.contains("num") ? `${first} (${rest})` : `${first}, ${rest}`;
}

// What each column is called: by the lowest head over it, where a head may span several columns or rows.
function headsOf(table) {
  const heads = [];
  const taken = [];
  [...table.tHead.rows].forEach((row, first) => {
    let place = 0;
    for (const head of row.cells) {
      while (taken[first]?.[place]) place += 1;
      for (let column = place; column < place + head.colSpan; column += 1) {
        heads[column] = inOneLine(head);
        for (let below = first; below < first + head.rowSpan; below += 1) (taken[below] ??= [])[column] = true;
      }
      place += head.colSpan;
    }
  });
  return heads;
}

function factsOf(mark) {
  const row = mark.dataset.row && document.getElementById(mark.dataset.row);
  if (!row) return [["", mark.querySelector("title")?.textContent ?? mark.getAttribute("aria-label") ?? ""]];
  const heads = headsOf(row.closest("table"));
  const facts = [...row.cells].map((cell, place) => [heads[place] ?? "", inOneLine(cell)]);
  return facts.filter(([, said]) => said);
}

function showTip(mark) {
  markTip.replaceChildren(...factsOf(mark).map(([name, said]) => {
    const line = document.createElement("p");
    const label = document.createElement("span");
    label.textContent = name;
    const fact = document.createElement("b");
    fact.textContent = said;
    line.append(label, fact);
    return line;
  }));
  markTip.hidden = false;
  const box = mark.getBoundingClientRect();
  const room = { x: innerWidth - markTip.offsetWidth - 8, y: innerHeight - markTip.offsetHeight - 8 };
  markTip.style.left = `${Math.max(8, Math.min(box.right + 10, room.x))}px`;
  markTip.style.top = `${Math.max(8, Math.min(box.bottom + 10, room.y))}px`;
}

function followMarks({ target }) {
  const mark = target.closest?.(`${CHART} a`) ?? target.closest?.(MARK);
  if (mark) showTip(mark);
  else markTip.hidden = true;
}

// Of the marks of a chart Tab reaches one; arrow keys go from there in the order of the data, and Tab leaves.
function reachOneMark(chart) {
  for (const mark of [...chart.querySelectorAll("a")].slice(1)) mark.tabIndex = -1;
}

function stepAmongMarks(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const mark = step && event.target.closest?.(`${CHART} a`);
  if (!mark) return;
  const marks = [...mark.closest("svg").querySelectorAll("a")];
  const next = marks[marks.indexOf(mark) + step];
  if (!next) return;
  [mark.tabIndex, next.tabIndex] = [-1, 0];
  next.focus();
  event.preventDefault();
}

if (document.querySelector(CHART)) {
  document.body.append(markTip);
  for (const chart of document.querySelectorAll(CHART)) reachOneMark(chart);
  document.addEventListener("pointerover", followMarks);
  document.addEventListener("focusin", followMarks);
  document.addEventListener("keydown", stepAmongMarks);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") markTip.hidden = true; });
}
