// Which elements reach out of the page, or are cut off? Gives names of them.
(() => {
  const SLACK = 1.5; // borders and letters are rounded to whole points
  const name = (element) => {
    const text = (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 40);
    const kind = element.getAttribute("class");
    return `<${element.localName}${kind ? ` class="${kind}"` : ""}> "${text}"`;
  };
  const width = document.documentElement.clientWidth;
  const page = { left: 0, right: width };
  const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
  const cuts = (element) => ["hidden", "clip"].includes(getComputedStyle(element).overflowX);
  // Text for screen readers only is kept in a box of a point or less.
  const isForEarsOnly = (element) => element.clientWidth <= 1 || element.clientHeight <= 1;
  const isIn = (element, test) => {
    for (let each = element.parentElement; each && each !== document.documentElement; each = each.parentElement)
      if (test(each)) return true;
    return false;
  };
  // Nobody can scroll to the left of where a box begins.
  const reachOf = (scroller) => ({ left: scroller.getBoundingClientRect().left - scroller.scrollLeft, right: Infinity });
  const scrollerOf = (element) => {
    for (let each = element.parentElement; each && each !== document.documentElement; each = each.parentElement)
      if (scrolls(each)) return each;
    return null;
  };
  const frameOf = (outer) => {
    if (getComputedStyle(outer).overflowX !== "visible") return outer.getBoundingClientRect();
    const scroller = scrollerOf(outer);
    return scroller ? reachOf(scroller) : page;
  };
  // Text that reaches out of a figure is cut, also where the figure itself can be scrolled.
  const isCutByItsFigure = (element) => {
    if (element.localName !== "text") return false;
    let outer = element.ownerSVGElement;
    while (outer.ownerSVGElement) outer = outer.ownerSVGElement;
    const text = element.getBoundingClientRect();
    const frame = frameOf(outer);
    return text.width > 0 && (text.left < frame.left - SLACK || text.right > frame.right + SLACK);
  };
  const faults = [];
  if (document.scrollingElement.scrollWidth > window.innerWidth)
    faults.push(`the page scrolls sideways: ${document.scrollingElement.scrollWidth} in ${window.innerWidth}`);
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (element instanceof SVGElement && element.ownerSVGElement) {
      if (isCutByItsFigure(element)) faults.push(`cut off by its figure: ${name(element)}`);
      continue;
    }
    if (isIn(element, scrolls)) continue;
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1 || isIn(element, isForEarsOnly)) continue;
    // A skip link waits outside until it has the focus.
    const waitsForFocus = element.matches("a[href^='#']") && box.bottom <= 0;
    if ((box.right > width + SLACK || box.left < -SLACK) && !waitsForFocus) faults.push(name(element));
    else if (cuts(element) && element.scrollWidth > element.clientWidth + SLACK && !(element instanceof SVGElement))
      faults.push(`cut off: ${name(element)}`);
  }
  return faults;
})();
