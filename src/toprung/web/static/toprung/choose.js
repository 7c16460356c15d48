// What is typed beside a choice makes that choice; who makes another takes it back. Without script the server refuses
// what was typed beside a choice that was not made.
for (const label of document.querySelectorAll(".choice label")) {
  const radio = label.querySelector("input[type=radio]"), beside = label.querySelector("input:not([type=radio])");
  if (!beside) continue;
  beside.addEventListener("input", () => { if (beside.value) radio.checked = true; });
  label.closest("fieldset").addEventListener("change", (event) => {
    if (event.target.type === "radio") beside.value = radio.checked ? beside.value || beside.defaultValue : "";
  });
}
