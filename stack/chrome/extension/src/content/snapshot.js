/**
 * What a frame shows, in reading order and within stated bounds. One walk of the flattened tree; each node that says
 * something or can be used is given once, with what it is, and secrets are taken out before the result exists.
 */
import { FROM_CONTENTS, PRESENTATIONAL_CHILDREN } from "virtual:aria";
import * as dom from "./dom.js";
import { Prints } from "./identity.js";
import { Names, flat } from "./names.js";
import { Repeats, cleanAddress, collect, isSecret } from "./redaction.js";
import { isEditingHost, isFocusable, role } from "./roles.js";
import { actions, level, states, value } from "./states.js";
import { Look, children, focused, isOpaque } from "./tree.js";

/** Roles that only mark how text looks or lies; their text stands for itself. */
const UNSAID = new Set(["code", "definition", "deletion", "document", "emphasis", "generic", "insertion", "mark", "none", "paragraph", "presentation",
  "strong", "subscript", "superscript", "term", "time"]);
/** Named by their content, and yet shown part by part. */
const BY_PARTS = new Set(["row", "rowgroup"]);
const CLOSED_HOSTS = new Set(["article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main", "nav", "p", "section", "span"]);

/** @typedef {{nodes: number, depth: number, text: number, bytes: number}} Bounds */

/** One snapshot of this frame. */
export class Snapshot {
  /** @param {{frame_id: number, ancestry: number[]}} place @param {Bounds} bounds  what is left of them for this frame @param {import("./redaction.js").Marks} [marks]  what other frames hold */
  constructor(place, bounds, marks) {
    this.place = place;
    this.bounds = bounds;
    this.look = new Look();
    this.names = new Names(this.look, isSecret);
    this.prints = new Prints(this.names);
    this.repeats = new Repeats(marks);
    this.nodes = [];
    /** @type {Map<string, {element: Element, print: string}>} */
    this.handles = new Map();
    /** @type {Set<string>} */
    this.over = new Set();
    this.closed = false;
    this.bytes = 2;
    this.most = 2;
    this.exact = false;
    this.full = false;
    this.focus = focused();
    this.range = document.createRange();
    /** @type {[any, Node][]} */
    this.unplaced = [];
  }

  take() {
    collect(this.repeats);
    const root = document.body ?? document.documentElement;
    if (root && !this.look.isGone(root)) this.walk(root, { parent: null, depth: 0, covered: false, inert: false });
    this.locateAll();
    return {
      nodes: this.nodes, over: [...this.over].sort(), closed: this.closed,
      title: this.cut(this.repeats.clean(document.title)), url: cleanAddress(location.href, this.repeats),
      viewport: { w: innerWidth, h: innerHeight }, scroll: { x: scrollX, y: scrollY },
    };
  }

  /** @param {Node} node @param {{parent: string|null, depth: number, covered: boolean, inert: boolean}} way */
  walk(node, way) {
    for (const child of children(node)) {
      if (this.full) return;
      const type = dom.nodeType(child);
      if (type === dom.TEXT) {
        if (!way.covered) this.addText(child, way);
      } else if (type === dom.ELEMENT && !this.look.isGone(child)) {
        this.element(child, way);
      }
    }
  }

  /** @param {Element} element @param {any} way */
  element(element, way) {
    const depth = way.depth + 1;
    if (depth > this.bounds.depth) {
      this.over.add("depth");
      return;
    }
    const kind = this.roleOf(element);
    const said = kind !== null && !this.look.isUnseen(element) && !(way.inert && !isFocusable(element));
    const id = said ? this.add(element, kind, way) : null;
    if (isOpaque(element) || this.full) return;
    this.noteClosed(element);
    if (said && isSecret(element)) return;
    const covers = said && ((FROM_CONTENTS.has(kind) && !BY_PARTS.has(kind)) || kind === "label");
    const inert = way.inert || (said && PRESENTATIONAL_CHILDREN.has(kind) && kind !== "separator");
    const silent = dom.tag(element) === "textarea" || isEditingHost(element);
    this.walk(element, { parent: id ?? way.parent, depth, covered: way.covered || covers || silent, inert });
  }

  /** The role that is said; null where the element says nothing of its own. @param {Element} element */
  roleOf(element) {
    const name = dom.tag(element);
    if (name === "label") return "label";
    const kind = role(element);
    if (!UNSAID.has(kind)) return kind;
    return isFocusable(element) || dom.hasAttribute(element, "onclick") ? kind : null;
  }

  /** @param {Element} element @param {string} kind @param {any} way @returns {string|null} */
  add(element, kind, way) {
    const name = BY_PARTS.has(kind) && !dom.hasAttribute(element, "aria-label") && !dom.hasAttribute(element, "aria-labelledby") ? "" : this.names.name(element);
    const secret = isSecret(element);
    const able = actions(element, kind);
    const node = {
      ...this.identity(), parent: way.parent, role: kind, name,
      description: this.names.description(element, name), value: secret ? null : this.valueOf(element, kind),
      states: states(element, kind, this.focus), actions: able, bounds: NOWHERE,
    };
    if (secret) node.sensitive = true;
    const height = level(element, kind);
    if (height !== null) node.level = height;
    if (kind === "link" && dom.tag(element) === "a") node.url = cleanAddress(dom.linkAddress(element), this.repeats);
    const print = able.length ? this.prints.of(element, { role: kind, name, actions: able }) : "";
    if (!this.keep(node, element)) return null;
    if (able.length) this.handles.set(node.id, { element, print });
    return node.id;
  }

  identity() {
    const frame = this.place.frame_id;
    return { id: `${frame}:${this.nodes.length + 1}`, frame_id: frame, frame_ancestry: this.place.ancestry };
  }

  valueOf(element, kind) {
    const text = value(element, kind);
    return text === null ? null : text.replace(/\r\n?/g, "\n");
  }

  /** @param {Text} text @param {any} way */
  addText(text, way) {
    const name = flat(dom.data(text));
    if (!name.trim()) return;
    const above = dom.parentNode(text);
    if (above && dom.nodeType(above) === dom.ELEMENT && this.look.isUnseen(above)) return;
    this.keep({
      ...this.identity(), parent: way.parent, role: "text", name, description: "", value: null, states: {}, actions: [],
      bounds: NOWHERE,
    }, text);
  }

  /** Clean, cut and count a node; whether it is in. Its place is read later, because places of many are read faster. */
  keep(node, source) {
    const short = [];
    for (const field of ["name", "description", "value"]) {
      if (node[field] === null) continue;
      const clean = this.repeats.clean(node[field]);
      node[field] = this.cut(clean);
      if (node[field].length < clean.length) short.push(field);
    }
    if (short.length) node.cut = short;
    this.unplaced.push([node, source]);
    if (this.nodes.length >= this.bounds.nodes || !this.fits(node)) {
      this.over.add(this.nodes.length >= this.bounds.nodes ? "nodes" : "bytes");
      this.full = true;
      return false;
    }
    if (short.length) this.over.add("text");
    this.nodes.push(node);
    return true;
  }

  /** Read the places that have not been read. */
  locateAll() {
    for (const [node, source] of this.unplaced) node.bounds = box(dom.nodeType(source) === dom.TEXT ? this.rectOf(source) : dom.boundingRect(source));
    this.unplaced.length = 0;
  }

  /** @param {Text} text */
  rectOf(text) {
    this.range.setStart(text, 0);
    this.range.setEnd(text, dom.data(text).length);
    return this.range.getBoundingClientRect();
  }

  /** Whether a node is within the bound of bytes. They are counted one by one only where it may matter. */
  fits(node) {
    if (!this.exact) {
      const texts = node.name.length + node.description.length + (node.value?.length ?? 0) + (node.url?.length ?? 0);
      this.most += MOST_OF_NODE + 6 * texts + 12 * node.frame_ancestry.length + MOST_OF_STATE * Object.keys(node.states).length;
      if (this.most <= this.bounds.bytes) return true;
      this.exact = true;
      this.locateAll();
      this.bytes = size(this.nodes);
    }
    this.locateAll();
    const bytes = size(node) + (this.nodes.length ? 1 : 0);
    if (this.bytes + bytes > this.bounds.bytes) return false;
    this.bytes += bytes;
    return true;
  }

  /** @param {string} text */
  cut(text) {
    const end = this.bounds.text;
    const split = text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) <= 0xdbff;
    return text.slice(0, split ? end - 1 : end);
  }

  /** @param {Element} element */
  noteClosed(element) {
    if (this.closed || dom.shadowRoot(element) || !(CLOSED_HOSTS.has(dom.tag(element)) || dom.localName(element).includes("-"))) return;
    if (dom.isHtml(element) && chrome.dom?.openOrClosedShadowRoot(element)) this.closed = true;
  }
}

/** @param {DOMRect} rect */
export function box(rect) {
  const round = (number) => Math.round(number * 100) / 100;
  return { space: "frame_css_px", x: round(rect.x), y: round(rect.y), w: round(rect.width), h: round(rect.height) };
}

const encoder = new TextEncoder();

/** Until the place of a node is read. */
const NOWHERE = { space: "frame_css_px", x: 0, y: 0, w: 0, h: 0 };

/** More than any node has beside its texts. */
const MOST_OF_NODE = 380;
const MOST_OF_STATE = 50;

/** Bytes of a node's JSON. */
function size(node) {
  const text = JSON.stringify(node);
  return /[^\x00-\x7f]/.test(text) ? encoder.encode(text).length : text.length;
}
