// What a page does better with script: texts to copy, files to keep, parts to fold. All of it is carried
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
const contents = document.querySelector(".contents");
if (contents) followReader(contents);
