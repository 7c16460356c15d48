"use strict";
/* A pair, with script: the whole task is here at once, the next pair is shown at the key, and answers are sent one after
   the other. What could not be sent waits in this browser and is sent in order. Without script the buttons do it all. */
(() => {
  const page = document.body.dataset;
  const form = document.getElementById("answer");
  const undoForm = document.getElementById("undo");
  const notice = document.getElementById("notice");
  const highlight = document.getElementById("highlight");
  const token = form.elements.csrfmiddlewaretoken.value;
  const waitingKey = `toprung-waiting-${page.assignment}`;
  const TOO_SOON = 300, MOST_SKIPS = 2, PAUSES = [500, 1000, 2000, 4000, 8000];

  let pairs = null; // until they have come, the forms work as they do without script
  let open = [], done = [], skips = {}, current = -1, shownAt = performance.now(), wasMarked = false;
  let waiting = readWaiting(), isSending = false, failures = 0, why = "", goesTo = "";
  const known = new Set(waiting.map((event) => event.key)); // of what is stored: what this page sends

  function readWaiting() {
    try { return JSON.parse(localStorage.getItem(waitingKey)) || []; } catch { return []; }
  }
  function keepWaiting() { // beside what another tab has stored
    try {
      const kept = [...readWaiting().filter((event) => !known.has(event.key)), ...waiting];
      if (kept.length) localStorage.setItem(waitingKey, JSON.stringify(kept));
      else localStorage.removeItem(waitingKey);
    } catch { /* private windows may keep nothing: then they wait in the page alone */ }
  }
  function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  function say(text) {
    notice.textContent = text;
    notice.hidden = !text;
  }

  /* ---------- showing ---------- */
  function words(text) {
    return new Set((text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) || []));
  }
  function fill(place, text, question) {
    if (!highlight || !highlight.checked) { place.textContent = text; return; }
    const wanted = words(question);
    place.replaceChildren(...text.split(/([\p{L}\p{N}]+)/u).map((part) => {
      if (!wanted.has(part.toLowerCase())) return document.createTextNode(part);
      const mark = document.createElement("mark");
      mark.textContent = part;
      return mark;
    }));
  }
  function show(isSame) {
    if (!open.length) { finish(); return; }
    current = open[0];
    const pair = pairs[current];
    const question = document.getElementById("question");
    question.textContent = pair.question;
    question.lang = pair.question_lang;
    for (const side of ["left", "right"]) {
      const place = document.querySelector(`#${side} p`);
      fill(place, pair[side], pair.question);
      place.lang = pair[`${side}_lang`];
      if (!isSame) place.scrollTop = 0;
    }
    if (isSame) return;
    const n = pairs.length, number = n - open.length + 1, said = `${number} of ${n}`;
    document.getElementById("count").textContent = said;
    document.title = `Pair ${said} · Toprung`;
    const bar = document.getElementById("progress");
    bar.setAttribute("aria-valuenow", number);
    bar.setAttribute("aria-valuetext", `Pair ${said}`);
    bar.querySelectorAll("i").forEach((slot, at) => {
      slot.className = at + 1 < number ? "slot-on" : at + 1 === number ? "slot-now" : "slot";
    });
    document.querySelector("[form=undo]").disabled = !done.length;
    letGo();
    document.getElementById("said").textContent = `Pair ${said}: ${pair.question}`;
    wasMarked = Boolean(highlight && highlight.checked);
    shownAt = performance.now();
    document.body.dataset.shown = String(current);
  }
  function hold(choice) {
    letGo();
    const card = document.getElementById(choice);
    if (card) card.classList.add("held");
    say("Sure? That was quick: choose once more.");
  }
  function letGo() {
    document.querySelectorAll(".held").forEach((card) => card.classList.remove("held"));
    if (notice.textContent.startsWith("Sure?")) say("");
  }
  function finish() {
    document.body.dataset.shown = "";
    leaveFor(page.handIn);
    if (waiting.length) say(`That was the last pair. ${sayWaiting()}`);
  }
  function leaveFor(url) { // what is not sent yet goes first
    goesTo = url;
    if (!waiting.length) location.assign(url);
  }
  function sayWaiting() {
    return waiting.length === 1 ? "1 answer is still to be sent." : `${waiting.length} answers are still to be sent.`;
  }

  /* ---------- choosing ---------- */
  function choose(choice) {
    if (!open.length) return;
    const took = performance.now() - shownAt;
    if (choice !== "skip" && took < TOO_SOON) { hold(choice); return; }
    const slot = current, id = newId();
    goesTo = "";
    add({ kind: "answer", fields: {
      slot, choice, answer_id: id, ms: Math.round(took), highlighted: wasMarked ? 1 : 0,
    } });
    open.shift();
    if (choice === "skip") {
      skips[slot] = (skips[slot] || 0) + 1;
      if (skips[slot] < MOST_SKIPS) open.push(slot);
    } else {
      done.push({ slot, id });
    }
    show();
  }
  function undo() {
    const last = done.pop();
    if (!last) return;
    goesTo = "";
    add({ kind: "undo", fields: { answer_id: last.id } });
    open = [last.slot, ...open.filter((slot) => slot !== last.slot)];
    show();
  }

  /* ---------- sending, one after the other ---------- */
  function add(event) {
    const key = newId();
    known.add(key);
    waiting.push({ ...event, key });
    keepWaiting();
    send();
  }
  async function send() {
    if (isSending || !waiting.length) return;
    isSending = true;
    const event = waiting[0];
    try {
      const target = event.kind === "undo" ? undoForm : form;
      const body = new URLSearchParams({ assignment: page.assignment, ...event.fields });
      const reply = await fetch(target.action, {
        method: "POST", body, keepalive: true,
        headers: { Accept: "application/json", "X-CSRFToken": token },
      });
      if (reply.status >= 500 || reply.status === 429) throw new Error("later");
      const refusal = reply.ok && !reply.redirected ? "" : await readRefusal(reply);
      if (refusal === null) { comeAgain(); return; }
      failures = 0;
      waiting.shift();
      keepWaiting();
      keepMark(false);
      if (refusal) why = refusal;
      else if (!waiting.length && notice.dataset.offline) { delete notice.dataset.offline; say(""); }
    } catch {
      failures += 1;
      notice.dataset.offline = "1";
      say(`No connection. ${sayWaiting()} Leave this page open.`);
      setTimeout(send, PAUSES[Math.min(failures, PAUSES.length) - 1]);
      isSending = false;
      return;
    }
    isSending = false;
    if (waiting.length) send();
    else if (why) tellWhy();
    else if (goesTo) location.assign(goesTo);
    else if (pairs && !open.length) finish();
  }
  async function readRefusal(reply) {
    try { return (await reply.json()).error || null; } catch { return null; } // a page, or the reply of another
  }
  function comeAgain() { // to sign in again, say, and then what waits is sent; if that does not help, the place is gone
    if (hasMark()) {
      waiting = [];
      keepWaiting();
    }
    keepMark(true);
    location.assign(page.home);
  }
  function hasMark() {
    try { return sessionStorage.getItem(waitingKey) !== null; } catch { return true; }
  }
  function keepMark(isSet) {
    try {
      if (isSet) sessionStorage.setItem(waitingKey, "came again");
      else sessionStorage.removeItem(waitingKey);
    } catch { /* then what waits is given up the first time */ }
  }
  async function tellWhy() { // once all is sent: what was refused is shown as it stands now
    const said = why;
    why = "";
    if (await load()) say(said);
  }

  async function load() {
    const reply = await fetch(page.task, { headers: { Accept: "application/json" } });
    if (!reply.ok || reply.redirected) { location.assign(page.home); return false; }
    const task = await reply.json();
    if (task.assignment !== page.assignment) { location.assign(page.home); return false; }
    ({ pairs, open, done } = task);
    skips = {};
    for (const slot of task.skipped) skips[slot] = (skips[slot] || 0) + 1;
    show();
    return true;
  }

  /* ---------- keys, buttons, cards ---------- */
  const KEYS = { ArrowLeft: "left", 1: "left", ArrowRight: "right", 2: "right", 0: "tie", s: "skip", S: "skip" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key === "Escape") { leaveFor(page.exit); return; }
    if (event.key === "?") { leaveFor(page.guidelines); return; }
    if (!pairs) return;
    const choice = KEYS[event.key];
    if (event.key === "u" || event.key === "U") undo();
    else if (choice && (choice !== "tie" || form.querySelector("[value=tie]"))) choose(choice);
    else return;
    event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    if (!pairs || !event.submitter) return;
    event.preventDefault();
    choose(event.submitter.value);
  });
  undoForm.addEventListener("submit", (event) => {
    if (!pairs) return;
    event.preventDefault();
    undo();
  });
  for (const side of ["left", "right"]) {
    document.getElementById(side).addEventListener("click", (event) => {
      const isReading = String(getSelection()) !== "";
      if (pairs && !isReading && !event.target.closest("button")) choose(side);
    });
  }
  if (highlight) {
    highlight.closest("label").hidden = false;
    highlight.addEventListener("change", () => {
      wasMarked = wasMarked || highlight.checked;
      if (pairs) show(true);
    });
  }
  document.getElementById("exit").addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || !waiting.length) return;
    event.preventDefault();
    leaveFor(page.exit);
  });
  addEventListener("online", send);
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  async function start() {
    if (waiting.length) { // answers of before a reload go first
      if (!isSending) await send();
      if (waiting.length) { setTimeout(start, PAUSES[0]); return; }
    }
    try { await load(); } catch { setTimeout(start, PAUSES[0]); }
  }
  start();
})();
