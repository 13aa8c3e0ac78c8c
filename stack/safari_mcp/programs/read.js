// The visible text of the body, and the targets of visible links. Input: {chars, links}.
function read(input) {
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
  const HREF = 2048;
  const LABEL = 200;
  const body = document.body;
  const whole = body ? String(body.innerText || "") : "";
  const links = [];
  let left = false;
  for (const link of document.querySelectorAll("a[href]")) {
    if (typeof link.href !== "string" || !visible(link)) continue;
    if (links.length >= input.links || link.href.length > HREF) {
      left = true;
      continue;
    }
    const label = String(link.innerText || "").replace(/\s+/g, " ").trim();
    links.push({ text: cut(label, LABEL), href: link.href });
  }
  return JSON.stringify({
    program: "read",
    url: location.href,
    ok: true,
    data: {
      title: cut(String(document.title), 300),
      text: cut(whole, input.chars),
      textTruncated: whole.length > input.chars,
      links,
      linksTruncated: left,
    },
  });
}
