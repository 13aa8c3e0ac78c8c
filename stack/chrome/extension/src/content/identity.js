/**
 * Which node a reference means, and whether it is still that node. A node's fingerprint is what a user would know it by:
 * role, name, what can be done with it, and the row or item that it stands in, because lists recycle their rows. What
 * does not match is stale; nothing is ever looked up again by its label. Separate from snapshots, which only take prints.
 */
import * as dom from "./dom.js";
import { role } from "./roles.js";
import { actions } from "./states.js";
import { parent } from "./tree.js";

/** How far up, and how much text, a repeated item around a node may have. */
const APART = "\u0000";
const HEIGHT = 6;
const ITEM_TEXT = 600;
const ITEM_KEYS = ["id", "aria-posinset", "aria-rowindex", "data-index", "data-id", "data-key"];
const ITEM_ROLES = new Set(["article", "cell", "gridcell", "listitem", "option", "row", "treeitem"]);

/** Prints of one look; texts of items are read once each. */
export class Prints {
  /** @param {import("./names.js").Names} names */
  constructor(names) {
    this.names = names;
    /** @type {Map<Element, string>} */
    this.items = new Map();
    /** @type {Map<Element, string>} */
    this.chains = new Map();
  }

  /** @param {Element} element @param {{role: string, name: string, actions: string[]}} [known] @returns {string} */
  of(element, known) {
    const kind = known ? known.role : role(element);
    const name = known ? known.name : this.names.name(element);
    const able = known ? known.actions : actions(element, kind);
    const own = [kind, name, dom.tag(element), dom.inputType(element), dom.attribute(element, "href"), able.join()].join(APART);
    return `${own}${APART}${this.around(parent(element))}`;
  }

  /** The repeated items from an element upwards, innermost first. @param {Element|null} element */
  around(element) {
    let found = this.chains.get(element);
    if (found === undefined) {
      const items = [];
      for (let above = element, height = 0; above && height < HEIGHT; above = parent(above), height += 1) items.push(this.item(above));
      found = items.join(APART);
      this.chains.set(element, found);
    }
    return found;
  }

  /** @param {Element} element */
  item(element) {
    let item = this.items.get(element);
    if (item === undefined) {
      item = isRepeated(element) ? described(element) : "";
      this.items.set(element, item);
    }
    return item;
  }
}

/** @param {Element} element */
function isRepeated(element) {
  const given = dom.attribute(element, "role");
  if (given !== null && ITEM_ROLES.has(given)) return true;
  const name = dom.tag(element);
  if (name === "li" || name === "tr" || name === "article") return true;
  for (const beside of [dom.previousElement(element), dom.nextElement(element)]) {
    if (beside && dom.tag(beside) === name && dom.attribute(beside, "class") === dom.attribute(element, "class")) return true;
  }
  return false;
}

/** @param {Element} element */
function described(element) {
  const text = dom.textContent(element);
  const said = text.length <= ITEM_TEXT ? text.replace(/[\t\n\f\r ]+/g, " ").trim() : "";
  return [...ITEM_KEYS.map((key) => dom.attribute(element, key) ?? ""), said].join("\u0001");
}
