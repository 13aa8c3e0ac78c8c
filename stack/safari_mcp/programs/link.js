// Where the one visible link that a selector matches leads. Input: {selector, scan}.
function link(input) {
  "use strict";
  // Rendered, and not hidden by a style of its own or of an ancestor. The prototypes' own methods, because a form's
  // fields can stand in for members of the form.
  const visible = (element) =>
    Element.prototype.getClientRects.call(element).length > 0 &&
    getComputedStyle(element).visibility === "visible";
  const answer = (members) => JSON.stringify({ program: "link", url: location.href, ...members });
  let all;
  try {
    all = document.querySelectorAll(input.selector);
  } catch (error) {
    return answer({ ok: false, error: "invalid_selector" });
  }
  let href = null;
  let matched = 0;
  let scanned = 0;
  for (const element of all) {
    if (scanned >= input.scan) break;
    scanned += 1;
    if (!element.matches("a[href]") || typeof element.href !== "string" || !visible(element)) continue;
    matched += 1;
    if (matched === 1) href = element.href;
  }
  return answer({ ok: true, data: { matched, href, truncated: all.length > scanned } });
}
