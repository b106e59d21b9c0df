/**
 * Runs in the page, so that it is a text: sideways scrolling, text that is cut off without an ellipsis, text that
 * something else covers, and controls that lie upon each other.
 */
export const findLayoutFlaws = `(() => {
  const flaws = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) flaws.add("scrolls sideways by " + (root.scrollWidth - root.clientWidth));
  // What is meant to be moved sideways says so; elsewhere it is what follows from scrolling up and down.
  for (const element of document.querySelectorAll("[role=dialog] *"))
    if (element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX) &&
      !element.matches(".overflow-x-auto"))
      flaws.add("a dialog scrolls sideways by " + (element.scrollWidth - element.clientWidth));
  const textOf = (element) => element.textContent.trim().slice(0, 60);
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(".sr-only, svg");
  const scrolls = (style, axis) => /auto|scroll/.test(style["overflow" + axis]);
  const hides = (style, axis) => /hidden|clip/.test(style["overflow" + axis]);
  const endsInDots = (style) => style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";

  // Goes up from a text: what may be scrolled into view is not cut off, and what is out of sight covers nothing.
  const look = (element, box) => {
    let { left, top, right, bottom } = box;
    let freeX = false, freeY = false, hasDots = false, cut = null;
    for (let above = element; above && above !== document.body; above = above.parentElement) {
      const style = getComputedStyle(above);
      hasDots ||= endsInDots(style);
      const frame = above.getBoundingClientRect();
      if (style.display === "inline" || style.display === "contents") continue;
      if (!freeX && !hasDots && hides(style, "X") && (right > frame.right + 1 || left < frame.left - 1)) cut = "sideways";
      if (!freeY && !hasDots && hides(style, "Y") && (bottom > frame.bottom + 2 || top < frame.top - 2)) cut = "in height";
      freeX ||= scrolls(style, "X");
      freeY ||= scrolls(style, "Y");
      if (style.overflowX !== "visible") [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      if (style.overflowY !== "visible") [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
      if (style.position === "fixed") break;
    }
    if (!freeX && !hasDots && cut === null && (box.right > innerWidth + 1 || box.left < -1)) cut = "at the edge";
    return { cut, seen: { left, top, right: Math.min(right, innerWidth), bottom: Math.min(bottom, innerHeight) } };
  };

  // A bar that stays while the page scrolls under it covers nothing for good, unless it covers the top of the page.
  const mayCover = (cover, y) => {
    for (let above = cover; above; above = above.parentElement) {
      if (above.matches("[role=dialog], aside")) return true;
      if (/fixed|sticky/.test(getComputedStyle(above).position) && y > innerHeight / 2) return true;
    }
    return false;
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || !isShown(element) || element.closest("[inert], [aria-hidden=true], option, noscript")) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      const { cut, seen } = look(element, box);
      if (cut !== null) flaws.add("cut off " + cut + ": " + textOf(element));
      if (seen.right - seen.left < 2 || seen.bottom - seen.top < 2) continue;
      const [x, y] = [(seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2];
      const cover = document.elementFromPoint(x, y);
      if (!cover || cover.contains(element) || element.contains(cover) || mayCover(cover, y)) continue;
      // A label over its own control is one control.
      if (cover.closest("label, button, a") && cover.closest("label, button, a") === element.closest("label, button, a")) continue;
      flaws.add("covered: " + textOf(element) + " by " + cover.tagName + " " + textOf(cover));
    }
  }

  // A row may end in dots; the title of the page may not.
  for (const title of document.querySelectorAll("h1"))
    if (isShown(title) && title.scrollWidth > title.clientWidth + 1) flaws.add("shortened title: " + textOf(title));

  const controls = [...document.querySelectorAll("main button, main a, header button, header a")].filter(isShown);
  const boxes = controls.map((element) => ({ element, box: look(element, element.getBoundingClientRect()).seen }));
  for (const [index, a] of boxes.entries())
    for (const b of boxes.slice(index + 1, index + 12)) {
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      if (a.element.closest("aside, [role=dialog]") !== b.element.closest("aside, [role=dialog]")) continue;
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (width > 2 && height > 2) flaws.add("overlap: " + textOf(a.element) + " and " + textOf(b.element));
    }
  return [...flaws];
})()`;
