// Which texts of a drawing run into each other? Gives them in pairs; a point of two of them may touch.
(() => {
  const faults = [];
  const slack = 1;
  const meets = (a, b) =>
    a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom && b.top + slack < a.bottom;
  // A line of text is as high as its face allows for accents; letters take the middle of it.
  const boxOf = (text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const upright = text.hasAttribute("transform");
    const trim = 0.15 * (upright ? right - left : bottom - top);
    return upright
      ? { left: left + trim, right: right - trim, top, bottom }
      : { left, right, top: top + trim, bottom: bottom - trim };
  };
  for (const drawing of document.querySelectorAll("svg")) {
    const texts = [...drawing.querySelectorAll("text")].filter((each) => each.textContent.trim());
    if (drawing.closest("thead")?.offsetHeight === 1) continue; // on a phone the heads of a board are said, not shown
    const boxes = texts.map(boxOf).filter((box) => box.right > box.left);
    boxes.forEach((box, place) => {
      for (let other = 0; other < place; other += 1)
        if (meets(box, boxes[other])) faults.push(`${texts[place].textContent} / ${texts[other].textContent}`);
    });
  }
  return faults;
})();
