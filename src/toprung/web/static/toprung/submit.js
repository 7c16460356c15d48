"use strict";
/* The submit page, with script: a file is sent when it is dropped or chosen, and its way is seen. Without script the
   button beside it does the same. */
(() => {
  const form = document.getElementById("file-form");
  if (!form || !window.htmx) return;
  const drop = document.getElementById("drop");
  const file = document.getElementById("file");
  const sent = document.getElementById("sent");
  const check = document.getElementById("check");
  const name = document.getElementById("id_name");
  document.getElementById("send").hidden = true;

  for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, () => drop.classList.add("over"));
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));

  function say(text) {
    const line = document.createElement("p");
    line.className = "verdictline";
    line.textContent = text;
    check.replaceChildren(line);
  }

  form.addEventListener("htmx:beforeRequest", () => {
    say("Sending …");
    sent.hidden = false;
    sent.removeAttribute("value");
  });
  form.addEventListener("htmx:xhr:progress", (event) => {
    if (event.detail.lengthComputable) sent.value = event.detail.loaded / event.detail.total;
  });
  form.addEventListener("htmx:afterRequest", () => {
    sent.hidden = true;
    file.value = "";  // the same file, corrected, can be chosen again
  });
  form.addEventListener("htmx:sendError", () => say("The file did not arrive: the connection was lost. Send it again."));
  check.addEventListener("htmx:beforeSwap", (event) => {
    // Told to where an answer goes. A refusal says why in the panel; any other page is not for it.
    const isRefusal = event.detail.xhr.getResponseHeader("X-Refusal") === "1";
    if (event.detail.requestConfig.elt !== form || event.detail.xhr.status < 400) return;
    event.detail.shouldSwap = isRefusal;
    event.detail.isError = !isRefusal;
    if (!isRefusal) say("The file was not taken. Load this page again, and try once more.");
  });
  let suggested = "";
  check.addEventListener("htmx:afterSettle", () => {
    const panel = check.querySelector("[data-run-name]");
    if (!panel || (name.value && name.value !== suggested)) return;  // what somebody wrote stays
    name.value = suggested = panel.dataset.runName;
  });
})();
