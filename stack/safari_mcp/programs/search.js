// The results of a page of DuckDuckGo's HTML search. Input: {limit, containers}.
function search(input) {
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
  const TITLE = 300;
  const SNIPPET = 600;
  const URL_LENGTH = 2048;
  const ADVERT = ".result--ad, .badge--ad, [data-testid='ad'], [data-nrn='ad']";
  const PROVIDER = /(^|\.)duckduckgo\.com$/;
  const plain = (element) => String((element && element.innerText) || "").replace(/\s+/g, " ").trim();
  const parse = (text) => {
    try {
      return new URL(text, document.baseURI);
    } catch (error) {
      return null;
    }
  };
  // A result's own address: the provider's redirects are unwrapped, its other pages are no results.
  const goal = (href) => {
    const first = parse(href);
    if (first === null || !PROVIDER.test(first.hostname)) return first;
    const inner = first.pathname === "/l/" ? first.searchParams.get("uddg") : null;
    const second = inner === null ? null : parse(inner);
    return second === null || PROVIDER.test(second.hostname) ? null : second;
  };
  const all = document.querySelectorAll(".result, .web-result, article[data-testid='result']");
  const results = [];
  const seen = new Set();
  let containers = 0;
  let left = false;
  for (const container of all) {
    if (containers >= input.containers) break;
    containers += 1;
    if (container.matches(ADVERT) || container.querySelector(ADVERT) !== null) continue;
    const link = container.querySelector("a.result__a[href], h2 a[href], a[data-testid='result-title-a'][href]");
    if (link === null || !visible(container) || !visible(link)) continue;
    const url = goal(link.getAttribute("href"));
    if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) continue;
    const title = plain(link);
    if (!title || url.href.length > URL_LENGTH || seen.has(url.href)) continue;
    if (results.length >= input.limit) {
      left = true;
      break;
    }
    seen.add(url.href);
    const snippet = container.querySelector(".result__snippet, [data-result='snippet']");
    results.push({
      title: cut(title, TITLE),
      url: url.href,
      snippet: snippet !== null && visible(snippet) ? cut(plain(snippet), SNIPPET) : "",
    });
  }
  const truncated = left || containers >= input.containers;
  return JSON.stringify({ program: "search", url: location.href, ok: true, data: { results, containers, truncated } });
}
