// A form that is on its way is not sent again by a second press; some seconds later it may be, for what it asked for may
// have failed. Without script the server says what a second press finds.
const sentAt = new WeakMap(), SECONDS = 10;
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  if (event.timeStamp - sentAt.get(event.target) < 1000 * SECONDS) event.preventDefault();
  else sentAt.set(event.target, event.timeStamp);
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) for (const form of document.forms) sentAt.delete(form);
});
