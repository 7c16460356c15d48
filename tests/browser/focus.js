// What can be used on this page, and what has the focus?
var USABLE = "a[href], area[href], button, input, select, textarea, summary, iframe, [contenteditable='true'], [tabindex]";

var isUsable = (element) =>
  !element.disabled &&
  element.tabIndex >= 0 &&
  !element.closest("[inert]") &&
  element.type !== "hidden" &&
  element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
  // Of a group of radio buttons Tab reaches the chosen one, or the first.
  !(element.type === "radio" && element !== reachedOf(element));

var reachedOf = (radio) => {
  const group = [...document.querySelectorAll("input[type=radio]")].filter(
    (each) => each.name === radio.name && each.form === radio.form,
  );
  return group.find((each) => each.checked) ?? group[0];
};

// A name that no other element has: its place in the page, and what it says.
var nameOf = (element) => {
  const place = [...document.querySelectorAll("*")].indexOf(element);
  const says = element.getAttribute("aria-label") ?? (element.textContent || "").trim().replace(/\s+/g, " ");
  return `<${element.localName}> no. ${place} "${says.slice(0, 40)}"`;
};

var listInteractive = () => [...document.querySelectorAll(USABLE)].filter(isUsable).map(nameOf);

var startAtTop = () => {
  document.activeElement?.blur();
  window.getSelection().removeAllRanges();
  window.scrollTo(0, 0);
};

// The focus may show on the element or, for a mark in a figure, on what is drawn around it.
var isOutlined = (element) => {
  const style = getComputedStyle(element);
  const hasOutline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
  return hasOutline || style.boxShadow !== "none";
};

var tellFocus = () => {
  const element = document.activeElement;
  if (!element || element === document.body || element === document.documentElement) return null;
  const box = element.getBoundingClientRect();
  const isInView =
    box.bottom > 0 && box.top < window.innerHeight && box.right > 0 && box.left < document.documentElement.clientWidth;
  return { element: nameOf(element), isOutlined: isOutlined(element), isInView };
};
