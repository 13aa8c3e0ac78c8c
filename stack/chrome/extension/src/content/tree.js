/**
 * The flattened tree: what is drawn, with the content of open shadow roots and slots in its place, and which of it is
 * hidden. Separate from roles and names, which are asked about it and read nothing beside it.
 */
import * as dom from "./dom.js";

/** Elements that hold no content for anybody. */
const WITHOUT_CONTENT = new Set([
  "audio", "canvas", "embed", "head", "iframe", "frame", "link", "meta", "noscript", "object", "script", "style", "svg:style",
  "svg:script", "svg:defs", "svg:symbol", "svg:metadata", "template", "title", "video", "datalist", "br", "wbr",
]);

/** Whether children of an element are never content. @param {Element} element */
export function isOpaque(element) {
  return WITHOUT_CONTENT.has(dom.tag(element));
}

/** The children of a node in the flattened tree. @param {Node} node @returns {Node[]} */
export function children(node) {
  if (dom.nodeType(node) === dom.ELEMENT) {
    const shadow = dom.shadowRoot(node);
    if (shadow) return plainChildren(shadow);
    if (dom.isHtml(node) && dom.localName(node) === "slot") {
      const assigned = dom.assignedNodes(node);
      if (assigned.length) return assigned;
    }
  }
  return plainChildren(node);
}

/** @param {Node} node @returns {Node[]} */
function plainChildren(node) {
  const found = [];
  for (let child = dom.firstChild(node); child; child = dom.nextSibling(child)) found.push(child);
  return found;
}

/** The parent element in the flattened tree; null at the top. @param {Node} node @returns {Element|null} */
export function parent(node) {
  const slot = dom.nodeType(node) === dom.ELEMENT ? dom.assignedSlot(node)
    : dom.nodeType(node) === dom.TEXT ? dom.textSlot(node) : null;
  if (slot) return slot;
  const above = dom.parentNode(node);
  if (!above) return null;
  if (dom.nodeType(above) === 11) return above.host ?? null;
  return dom.nodeType(above) === dom.ELEMENT ? above : null;
}

/** Whether `inner` is `outer` or below it. @param {Node} outer @param {Node|null} inner */
export function contains(outer, inner) {
  for (let node = inner; node; node = parent(node)) if (node === outer) return true;
  return false;
}

/** The element that has the focus, through open shadow roots. @returns {Element|null} */
export function focused() {
  let element = document.activeElement;
  while (element) {
    const inside = dom.shadowRoot(element);
    if (!inside || !inside.activeElement) break;
    element = inside.activeElement;
  }
  return element;
}

const SEEN = { visibilityProperty: true };

/** Styles and hiddenness of one look at the page; nothing of it outlives the look. */
export class Look {
  constructor() {
    /** @type {Map<Element, CSSStyleDeclaration>} */
    this.styles = new Map();
    /** @type {Map<Element, boolean>} */
    this.gone = new Map();
    /** @type {Map<Element, boolean>} */
    this.hiding = new Map();
    /** @type {Set<Element>} */
    this.seen = new Set();
  }

  /** @param {Element} element @returns {CSSStyleDeclaration} */
  style(element) {
    let style = this.styles.get(element);
    if (!style) {
      style = getComputedStyle(element);
      this.styles.set(element, style);
    }
    return style;
  }

  /** Not drawn, or drawn for nobody, itself or by something above it. @param {Element} element @returns {boolean} */
  isHidden(element) {
    return this.isGone(element) || this.isUnseen(element);
  }

  /** The element's own box is not seen, although children may be. @param {Element} element */
  isUnseen(element) {
    if (this.seen.has(element)) return false;
    const seen = this.style(element).visibility;
    return seen !== "visible" && seen !== "";
  }

  /** The whole subtree is left out. @param {Element} element @returns {boolean} */
  isGone(element) {
    const known = this.gone.get(element);
    if (known !== undefined) return known;
    const above = parent(element);
    const gone = this.isGoneItself(element, above) || (above !== null && this.isGone(above));
    this.gone.set(element, gone);
    return gone;
  }

  /** @param {Element} element */
  hidesContent(element) {
    let hides = this.hiding.get(element);
    if (hides === undefined) {
      hides = this.style(element).contentVisibility === "hidden";
      this.hiding.set(element, hides);
    }
    return hides;
  }

  /** @param {Element} element @param {Element|null} above */
  isGoneItself(element, above) {
    // The browser's own word is quick where it is yes; where it is no, the element may still be drawn by its content.
    if (dom.isBoxed(element, SEEN)) this.seen.add(element);
    else if (this.style(element).display === "none") return true;
    if (dom.attribute(element, "aria-hidden") === "true" || dom.hasAttribute(element, "inert")) return true;
    const name = dom.tag(element);
    if (WITHOUT_CONTENT.has(name) && (name === "head" || name === "template" || name === "script")) return true;
    if (!above) return false;
    if (this.hidesContent(above)) return true;
    if (dom.tag(above) === "details" && !dom.hasAttribute(above, "open")) return name !== "summary" || !isFirstSummary(above, element);
    // Light children of a shadow host that no slot takes are in no flattened tree.
    return dom.parentNode(element) === above && dom.shadowRoot(above) !== null;
  }
}

/** @param {Element} details @param {Element} element */
function isFirstSummary(details, element) {
  for (let child = dom.firstChild(details); child; child = dom.nextSibling(child)) {
    if (dom.isHtml(child) && dom.localName(child) === "summary") return child === element;
  }
  return false;
}
