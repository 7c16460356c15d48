// What a page does better with script: texts to copy, files to keep, marks that say their row. All of it is carried
// inside the page, compressed; nothing is fetched, and without script every figure is read as it stands.

const carried = (key) => document.getElementById(key).textContent;

async function unpack(key) {
  const bytes = Uint8Array.from(atob(carried(key)), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// ---- copy and download ----

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not every browser allows it in a page opened from a file.
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

function save(text, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function say(button, done) {
  const status = button.parentElement.querySelector("[role=status]");
  status.textContent = done;
  setTimeout(() => { status.textContent = ""; }, 4_000);
}

async function act({ target }) {
  const button = target.closest("button[data-key]");
  if (!button) return;
  const { key, name } = button.dataset;
  const text = button.dataset.packed === undefined ? carried(key) : await unpack(key);
  if (name) save(text, name);
  else await copy(text);
  say(button, name ? `${name} is saved` : "Copied");
}

// ---- marks of charts: what the row of the table says, or their own title, to a pointer and to the keyboard ----

const tip = document.createElement("div");
tip.className = "tip";
tip.setAttribute("aria-hidden", "true"); // what it shows stands in the table, and in the label of the mark
tip.hidden = true;

function factsOf(mark) {
  const row = mark.dataset.row && document.getElementById(mark.dataset.row);
  if (!row) return [["", mark.querySelector("title")?.textContent ?? ""]];
  const heads = [...row.closest("table").tHead.rows[0].cells];
  return [...row.cells].map((cell, place) => [heads[place].textContent, cell.textContent]);
}

function showTip(mark) {
  tip.replaceChildren(...factsOf(mark).map(([name, said]) => {
    const line = document.createElement("p");
    const label = document.createElement("span");
    label.textContent = name;
    const fact = document.createElement("b");
    fact.textContent = said;
    line.append(label, fact);
    return line;
  }));
  tip.hidden = false;
  const box = mark.getBoundingClientRect();
  const room = { x: innerWidth - tip.offsetWidth - 8, y: innerHeight - tip.offsetHeight - 8 };
  tip.style.left = `${Math.max(8, Math.min(box.right + 10, room.x))}px`;
  tip.style.top = `${Math.max(8, Math.min(box.bottom + 10, room.y))}px`;
}

const MARKS = ".plot svg a, .plot svg :is(circle, rect, path):has(> title)";

function followMarks() {
  const answer = ({ target }) => {
    const mark = target.closest?.(".plot svg a") ?? target.closest?.(MARKS);
    if (mark) showTip(mark);
    else tip.hidden = true;
  };
  document.addEventListener("pointerover", answer);
  document.addEventListener("focusin", answer);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
  document.body.append(tip);
}

// Of the marks of a chart Tab reaches one; arrow keys go from there in the order of the data, and Tab leaves.
function reachOneMark(chart) {
  for (const mark of [...chart.querySelectorAll("a")].slice(1)) mark.tabIndex = -1;
}

function stepAmongMarks(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const mark = step && event.target.closest?.(".plot svg a");
  if (!mark) return;
  const marks = [...mark.closest("svg").querySelectorAll("a")];
  const next = marks[marks.indexOf(mark) + step];
  if (!next) return;
  [mark.tabIndex, next.tabIndex] = [-1, 0];
  next.focus();
  event.preventDefault();
}

// ---- contents: which part is in view ----

function followReader(contents) {
  const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(target.querySelector("section").id).setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-15% 0px -80% 0px" });
  for (const key of links.keys()) watcher.observe(document.getElementById(key).closest(".part"));
}

// ---- parts: unfolded one by one, all at once, by a link that leads into them, and for paper ----

const parts = [...document.querySelectorAll("details.part")];

function unfoldTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const part = target?.closest("details.part");
  if (!part || part.open) return;
  part.open = true;
  part.scrollIntoView();
}

function unfoldForPaper() {
  const folded = parts.filter((part) => !part.open);
  for (const part of folded) part.open = true;
  addEventListener("afterprint", () => { for (const part of folded) part.open = false; }, { once: true });
}

// ---- runs: rows of tables by a piece of their name; figures and sentences stay those of all runs ----

const namesIn = (table, row) => table.dataset.runColumns.split(" ").map((place) => row.cells[place]?.textContent ?? "");

function filterRuns(field, status) {
  const wanted = field.value.trim().toLowerCase();
  document.documentElement.classList.toggle("is-filtered", wanted !== "");
  for (const table of document.querySelectorAll("table[data-run-columns]")) {
    for (const row of table.tBodies ? [...table.tBodies].flatMap((body) => [...body.rows]) : []) {
      row.hidden = !namesIn(table, row).some((name) => name.toLowerCase().includes(wanted));
    }
  }
  const rows = [...document.querySelectorAll(".board tbody tr")];
  const shown = rows.filter((row) => !row.hidden).length;
  status.textContent = wanted && `${shown} of ${rows.length} runs in the tables; sentences and figures are of all.`;
}

const tools = document.querySelector(".tools");
if (tools) {
  tools.hidden = false;
  const field = tools.querySelector("input");
  const status = tools.querySelector("[role=status]");
  field.addEventListener("input", () => filterRuns(field, status));
  if (field.value) filterRuns(field, status); // a browser may keep it when a page is loaded again
  for (const button of tools.querySelectorAll("[data-fold]")) {
    button.addEventListener("click", () => { for (const part of parts) part.open = button.dataset.fold === "open"; });
  }
  addEventListener("hashchange", unfoldTarget);
  addEventListener("beforeprint", unfoldForPaper);
  unfoldTarget();
}

if (typeof DecompressionStream === "function") {
  for (const actions of document.querySelectorAll(".actions")) actions.hidden = false;
  document.addEventListener("click", act);
}
if (document.querySelector(".plot svg")) {
  followMarks();
  for (const chart of document.querySelectorAll(".plot svg")) reachOneMark(chart);
  document.addEventListener("keydown", stepAmongMarks);
}
const contents = document.querySelector(".contents");
if (contents) followReader(contents);
