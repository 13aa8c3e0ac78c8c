// Reads a document as data: elements with what they are, where they lie, and how they can be found again.
//
// The body of a function for WebDriver's execute. It gives {url, title, ready, id, scroll, view, size, text, tree}. An
// element is {ref, name, tag, attributes, box, hidden, children}, and where it has them {value, checked, focused,
// scrolls, listens, shadow, frame}; a child is an element or a text. A box is x, y, width and height on the page. Nothing
// of the page is changed: references live weakly in a map that the page does not see without looking for it, and die
// with the document, whose `id` tells it from every other one.
const KEY = Symbol.for("reader");
const kept = window[KEY] && window[KEY].document === document ? window[KEY] : (() => {
  const made = { document, id: String(Math.random()).slice(2), next: 1, refs: new WeakMap(), nodes: new Map() };
  Object.defineProperty(window, KEY, { value: made, configurable: true });  // a window may outlive its first document
  return made;
})();

// The reading.
function refOf(element) {
  let ref = kept.refs.get(element);
  if (!ref) {
    ref = kept.next++;
    kept.refs.set(element, ref);
    kept.nodes.set(ref, new WeakRef(element));
  }
  return ref;
}

function boxOf(element, offset) {
  const rect = element.getBoundingClientRect();
  const at = [rect.x + offset.x, rect.y + offset.y, rect.width, rect.height];
  return at.map((each) => Math.round(each * 100) / 100);
}

function hiddenOf(element, style) {
  if (!style || style.display === "none") return "display";
  if (element.localName !== "option" && style.display !== "contents" && !element.checkVisibility()) return "display";
  return style.visibility === "visible" ? null : "visibility";
}

function attributesOf(element) {
  const found = {};
  for (const each of element.attributes) if (each.name !== "data-node") found[each.name] = each.value;
  return found;
}

// What an element waits for: no engine tells a script, so pages of ours say it, and others by their attributes.
function listensOf(element) {
  const page = window[Symbol.for("page")];
  const named = page && page.listens ? page.listens(element) : [];
  return [...named, ...["click"].filter((type) => element.hasAttribute("on" + type))];
}

function contentOf(parent, offset) {
  const found = [];
  for (const child of parent.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) {
      if (child.data) found.push(child.data);
    } else if (child.nodeType === Node.ELEMENT_NODE) found.push(elementOf(child, offset));
  }
  return found;
}

function frameOf(element, offset) {
  let inner = null;
  try {
    inner = element.contentDocument;
  } catch (refused) {
    inner = null;
  }
  if (!inner || !inner.body) return { origin: "other", url: element.src };
  const rect = element.getBoundingClientRect();
  const within = { x: offset.x + rect.x + element.clientLeft, y: offset.y + rect.y + element.clientTop };
  return { url: inner.location.href, title: inner.title, ready: inner.readyState, tree: elementOf(inner.body, within) };
}

function elementOf(element, offset) {
  const style = element.ownerDocument.defaultView.getComputedStyle(element);
  const made = {
    ref: refOf(element), name: element.getAttribute("data-node"), tag: element.localName,
    attributes: attributesOf(element), hidden: hiddenOf(element, style), box: boxOf(element, offset), children: [],
  };
  const root = element.getRootNode();
  if (root.activeElement === element) made.focused = true;
  if ("value" in element && /^(input|textarea|select|option)$/.test(made.tag)) made.value = String(element.value);
  if (element.checked === true) made.checked = true;
  if (/^(auto|scroll)$/.test(style.overflowY + "") || /^(auto|scroll)$/.test(style.overflowX + "")) {
    if (element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth) {
      made.scrolls = [element.scrollLeft, element.scrollTop, element.scrollWidth, element.scrollHeight];
    }
  }
  const listens = listensOf(element);
  if (listens.length) made.listens = listens;
  made.children = contentOf(element, offset);
  if (element.shadowRoot) made.shadow = contentOf(element.shadowRoot, offset);
  if (made.tag === "iframe") made.frame = frameOf(element, offset);
  return made;
}

const top_ = document.scrollingElement || document.documentElement;
return {
  url: location.href, title: document.title, ready: document.readyState, id: kept.id,
  scroll: [scrollX, scrollY], view: [innerWidth, innerHeight], size: [top_.scrollWidth, top_.scrollHeight],
  text: document.body ? document.body.innerText : "",
  tree: document.body ? elementOf(document.body, { x: scrollX, y: scrollY }) : null,
};
