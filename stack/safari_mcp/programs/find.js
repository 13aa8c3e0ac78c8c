// Visible elements by selector and text, as rows that say what they are. Input: {selector, text, limit, scan}; either of
// the first two may be null, and text is in lower case.
function find(input) {
  "use strict";
  // Rendered, and not hidden by a style of its own or of an ancestor. The prototypes' own methods, because a form's
  // fields can stand in for members of the form.
  const visible = (element) =>
    Element.prototype.getClientRects.call(element).length > 0 &&
    getComputedStyle(element).visibility === "visible";
  const cut = (text, length) => {
    const taken = text.slice(0, length);
    return /[\ud800-\udbff]$/.test(taken) ? taken.slice(0, -1) : taken;
  };
  const LONGEST = 40000;
  const NAMELESS = /^(input|textarea|select)$/;
  const KEPT = ["aria-label", "aria-expanded", "aria-checked", "placeholder", "title", "href"];
  const answer = (members) => JSON.stringify({ program: "find", url: location.href, ...members });
  const read = (element, name) => String(Element.prototype.getAttribute.call(element, name) || "");
  const tagOf = (element) => String(element.localName).toLowerCase();
  // A field's text can be what was typed into it, so only what labels it is its name.
  const nameOf = (element) => {
    const label = read(element, "aria-label").trim();
    if (label || NAMELESS.test(tagOf(element))) return label;
    const text = typeof element.innerText === "string" ? element.innerText : element.textContent;
    return String(text || "").replace(/\s+/g, " ").trim();
  };
  const row = (element, name) => {
    const box = Element.prototype.getBoundingClientRect.call(element);
    const attributes = {};
    for (const key of KEPT) attributes[key] = cut(read(element, key), 500);
    return {
      tag: cut(tagOf(element), 100),
      id: cut(read(element, "id"), 200),
      role: cut(read(element, "role"), 100),
      type: cut(read(element, "type"), 100),
      name: cut(name, 500),
      disabled: element.disabled === true,
      checked: element.checked === true,
      attributes,
      rect: { x: box.x, y: box.y, width: box.width, height: box.height },
    };
  };
  let all;
  try {
    all = document.querySelectorAll(input.selector === null ? "*" : input.selector);
  } catch (error) {
    return answer({ ok: false, error: "invalid_selector" });
  }
  const matches = [];
  let size = 0;
  let scanned = 0;
  let truncated = false;
  for (const element of all) {
    if (scanned >= input.scan) {
      truncated = true;
      break;
    }
    scanned += 1;
    if (!visible(element)) continue;
    const name = nameOf(element);
    if (input.text !== null && !name.toLowerCase().includes(input.text)) continue;
    if (matches.length >= input.limit) {
      truncated = true;
      break;
    }
    const found = row(element, name);
    size += JSON.stringify(found).length;
    if (size > LONGEST) {
      truncated = true;
      break;
    }
    matches.push(found);
  }
  return answer({ ok: true, data: { matches, scanned, truncated } });
}
