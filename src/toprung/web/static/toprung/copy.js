// Buttons that copy a text of the page; without script the text can be selected as it stands.
function offerToCopy() {
  for (const button of document.querySelectorAll("button[data-copies][hidden]")) {
    if (!navigator.clipboard) return;
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = label; }, 2000);
    });
  }
}
document.addEventListener("DOMContentLoaded", offerToCopy);
document.addEventListener("htmx:afterSettle", offerToCopy);
