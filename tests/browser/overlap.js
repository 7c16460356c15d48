// Which entries of a legend run into each other? Gives their texts.
(() => {
  const faults = [];
  const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  for (const figure of document.querySelectorAll(".plot svg.marks")) {
    const texts = [...figure.querySelectorAll(".role-legend text")].filter((each) => each.textContent.trim());
    const marks = [...texts, ...figure.querySelectorAll(".role-legend-symbol path")];
    for (const text of texts) {
      const box = text.getBoundingClientRect();
      for (const mark of marks)
        if (mark !== text && meets(box, mark.getBoundingClientRect()))
          faults.push(`${text.textContent} / ${mark.textContent || "a symbol"}`);
    }
  }
  return faults;
})();
