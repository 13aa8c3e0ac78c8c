/**
 * What came of an action. Watches from just before it; what the page changes by itself all the time does not count, and
 * neither does the focus that the action set. The worker asks at its own times, because pages in the background have slow
 * timers; nothing here waits.
 */
import * as dom from "./dom.js";
import { isSecret } from "./redaction.js";
import { role } from "./roles.js";
import { states, value } from "./states.js";
import { focused } from "./tree.js";

const EVERYTHING = { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true, characterDataOldValue: true };

/** Whether a record changes anything: pages write the same again. @param {MutationRecord} record */
function changes(record) {
  if (record.type === "attributes") return dom.attribute(record.target, record.attributeName) !== record.oldValue;
  if (record.type === "characterData") return dom.data(record.target) !== record.oldValue;
  const text = (nodes) => [...nodes].map((node) => (dom.nodeType(node) === dom.TEXT ? dom.data(node) : null));
  const [added, removed] = [text(record.addedNodes), text(record.removedNodes)];
  return added.includes(null) || removed.includes(null) || added.join("") !== removed.join("");
}

/** Nodes that change without being asked: seen changing between the snapshot and the action. */
export class Restless {
  constructor() {
    /** @type {WeakSet<Node>} */
    this.nodes = new WeakSet();
    this.observer = new MutationObserver((records) => this.note(records));
  }

  start() {
    this.observer.disconnect();
    this.nodes = new WeakSet();
    this.observer.observe(document, EVERYTHING);
  }

  stop() {
    this.note(this.observer.takeRecords());
    this.observer.disconnect();
  }

  /** @param {MutationRecord[]} records */
  note(records) {
    for (const record of records) this.nodes.add(record.target);
  }

  /** @param {Node} node */
  has(node) {
    return this.nodes.has(node);
  }
}

export class Effects {
  /** @param {Element} element @param {Restless} restless */
  constructor(element, restless) {
    this.element = element;
    this.restless = restless;
    /** @type {Set<string>} */
    this.found = new Set();
    this.observer = new MutationObserver((records) => this.note(records));
    this.handled = false;
    this.reached = false;
  }

  /** From here on what changes is an effect. */
  arm() {
    this.restless.stop();
    for (let root = this.element; root; root = dom.rootOf(root).host ?? null) this.observer.observe(dom.rootOf(root), EVERYTHING);
    const inside = dom.shadowRoot(this.element);
    if (inside) this.observer.observe(inside, EVERYTHING);
    this.before = this.now();
  }

  now() {
    const kind = role(this.element);
    const secret = isSecret(this.element);
    const look = states(this.element, kind, null);
    return {
      states: JSON.stringify(look), value: secret ? dom.fieldValue(this.element) : value(this.element, kind),
      focus: focused(), address: location.href, scroll: `${scrollX},${scrollY}`,
    };
  }

  /** @param {MutationRecord[]} records */
  note(records) {
    if (records.some((record) => !this.restless.has(record.target) && changes(record))) this.found.add("content");
  }

  /** The effects so far, sorted. */
  peek() {
    this.note(this.observer.takeRecords());
    const now = this.now();
    if (now.states !== this.before.states) this.found.add("state");
    if (now.value !== this.before.value) this.found.add("value");
    if (now.address !== this.before.address) this.found.add("same_document_navigation");
    if (now.scroll !== this.before.scroll) this.found.add("scroll");
    if (now.focus !== this.before.focus && now.focus !== this.element) this.found.add("focus");
    return [...this.found].sort();
  }

  end() {
    this.observer.disconnect();
    this.restless.start();
  }
}
