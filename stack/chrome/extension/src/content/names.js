/**
 * Accessible names and descriptions after the accname recommendation and HTML-AAM, over the flattened tree.
 *
 * Written here and not taken from a library because the walk itself has to differ: through slots and open shadow roots,
 * and past values that must not be read (`isSecret`) where a control stands inside the label of another one.
 */
import { FROM_CONTENTS } from "virtual:aria";
import * as dom from "./dom.js";
import { isEditingHost, role } from "./roles.js";
import { children, isOpaque } from "./tree.js";

/**
 * @typedef {object} Way How an element was reached.
 * @property {boolean} referenced  through aria-labelledby or aria-describedby: no further reference is followed
 * @property {boolean} inside  below the element whose name is asked for: controls count by their value
 * @property {boolean} hidden  below a hidden element that was referenced: what is hidden counts
 * @property {Set<Element>} seen  what this way has been at already
 */

/** ASCII white space becomes one space; non-breaking ones stay. @param {string} text */
export function flat(text) {
  return text.replace(/[\t\n\f\r ]+/g, " ").replace(/^ | $/g, "");
}

export class Names {
  /** @param {import("./tree.js").Look} look @param {(element: Element) => boolean} isSecret  its value is not read */
  constructor(look, isSecret) {
    this.look = look;
    this.isSecret = isSecret;
  }

  /** @param {Element} element @returns {string} */
  name(element) {
    return flat(this.compute(element, { referenced: false, inside: false, hidden: false, seen: new Set() }));
  }

  /** @param {Element} element @param {string} name  its name, which the description does not repeat @returns {string} */
  description(element, name) {
    const parts = dom.named(element, "aria-describedby").map((each) => this.referenced(each));
    if (parts.length) return flat(parts.join(" "));
    const given = flat(dom.attribute(element, "aria-description") ?? "");
    if (given) return given;
    const title = flat(dom.attribute(element, "title") ?? "");
    if (title && title !== name) return title;
    const type = dom.inputType(element);
    if (BUTTONS.includes(type)) {
      const value = flat(dom.fieldValue(element) ?? "");
      return value === name ? "" : value;
    }
    const summary = dom.tag(element) === "table" ? this.native(element, this.fresh(element)) : "";
    return summary === name ? "" : flat(summary);
  }

  /** @param {Element} seen @returns {Way} */
  fresh(...seen) {
    return { referenced: false, inside: true, hidden: false, seen: new Set(seen) };
  }

  /** The text of an element that an attribute names. @param {Element} element */
  referenced(element) {
    const hidden = this.look.isHidden(element);
    return flat(this.compute(element, { referenced: true, inside: false, hidden, seen: new Set() }));
  }

  /** @param {Element} element @param {Way} way @returns {string} */
  compute(element, way) {
    if (way.seen.has(element)) return "";
    if (!way.hidden && way.inside && this.look.isHidden(element)) return this.seenBelow(element, way);
    if (!way.hidden && !way.inside && !way.referenced && this.look.isGone(element)) return "";
    if (!way.referenced) {
      const named = dom.named(element, "aria-labelledby");
      const text = named.map((each) => this.referenced(each)).filter(Boolean).join(" ");
      if (text) return text;
    }
    const kind = role(element);
    way.seen.add(element);
    if (way.inside && kind === "menu") return "";
    const embedded = way.inside || way.referenced ? this.embedded(element, kind) : null;
    if (way.inside && embedded !== null) return embedded;
    const given = dom.attribute(element, "aria-label") ?? "";
    if (flat(given).trim()) return given;
    const native = kind === "presentation" ? "" : this.native(element, way);
    if (native) return native;
    if (embedded) return embedded;
    if (way.inside || way.referenced || FROM_CONTENTS.has(kind) || NATIVE_CONTENTS.has(dom.tag(element))) {
      const content = this.content(element, way);
      if (way.inside && content) return content;
      if (flat(content).trim()) return content.trim();
    }
    const title = kind === "presentation" ? "" : dom.attribute(element, "title") ?? "";
    if (flat(title).trim()) return title;
    return this.placeholder(element);
  }

  /** Parts of an unseen element that are seen again (visibility alone can do that). @param {Element} element @param {Way} way */
  seenBelow(element, way) {
    if (this.look.isGone(element)) return "";
    return this.content(element, way, true);
  }

  /** A control inside a name counts by its value; null where the element is no such control. */
  embedded(element, kind) {
    if (kind === "textbox" || kind === "searchbox") return this.textOf(element);
    if (kind === "combobox" || kind === "listbox") return this.chosen(element, kind);
    if (RANGES.has(kind)) return this.amount(element);
    if (isEditingHost(element) && kind === "generic") return this.textOf(element);
    return null;
  }

  /** @param {Element} element @returns {string} */
  textOf(element) {
    if (this.isSecret(element)) return "";
    const value = dom.fieldValue(element);
    return value ?? this.content(element, { ...this.fresh(), seen: new Set([element]) });
  }

  /** @param {Element} element @param {string} kind */
  chosen(element, kind) {
    if (this.isSecret(element)) return "";
    if (dom.tag(element) === "select") return dom.chosenTexts(element).join(" ");
    if (kind === "combobox" && dom.fieldValue(element) !== null) return this.textOf(element);
    const lists = kind === "listbox" ? [element] : [...below(element, this.look), ...dom.named(element, "aria-owns"), ...dom.named(element, "aria-controls")]
      .filter((each) => role(each) === "listbox");
    for (const list of lists) {
      const options = [...below(list, this.look), ...dom.named(list, "aria-owns")].filter((each) => role(each) === "option");
      const chosen = options.filter((each) => dom.attribute(each, "aria-selected") === "true");
      if (chosen.length) return chosen.map((each) => flat(this.compute(each, this.fresh()))).join(" ");
    }
    return kind === "combobox" && !lists.length ? this.textOf(element) : "";
  }

  /** @param {Element} element */
  amount(element) {
    const text = dom.attribute(element, "aria-valuetext");
    if (text) return text;
    const now = dom.attribute(element, "aria-valuenow");
    if (now) return now;
    return this.isSecret(element) ? "" : dom.fieldValue(element) ?? dom.attribute(element, "value") ?? "";
  }

  /** What HTML or SVG gives as a name. @param {Element} element @param {Way} way */
  native(element, way) {
    const name = dom.tag(element);
    const rule = NATIVE[name];
    const own = rule ? rule(element, this) : "";
    if (own) return own;
    if (way.inside || !LABELABLE.has(name)) return "";
    return dom.labels(element).map((each) => flat(this.compute(each, this.fresh(element)))).filter(Boolean).join(" ");
  }

  /** The first child of that tag, as text. @param {Element} element @param {string} wanted */
  ofChild(element, wanted) {
    for (const child of children(element)) {
      if (dom.nodeType(child) === dom.ELEMENT && dom.tag(child) === wanted) return flat(this.compute(child, this.fresh(element)));
    }
    return "";
  }

  /** @param {Element} element */
  placeholder(element) {
    const text = dom.attribute(element, "placeholder") ?? "";
    return text || (dom.attribute(element, "aria-placeholder") ?? "") || (DEFAULTS[dom.inputType(element)] ?? "");
  }

  /** Text of everything below, in order. @param {Element} element @param {Way} way @param {boolean} [unseen] */
  content(element, way, unseen = false) {
    if (isOpaque(element) && !way.hidden) return "";
    const next = { ...way, inside: true };
    let text = unseen ? "" : this.generated(element, "::before");
    for (const child of children(element)) text += this.part(child, next, unseen);
    for (const owned of dom.named(element, "aria-owns")) text += ` ${this.part(owned, next, unseen)} `;
    return unseen ? text : text + this.generated(element, "::after");
  }

  /** @param {Node} child @param {Way} way @param {boolean} unseen */
  part(child, way, unseen) {
    const type = dom.nodeType(child);
    if (type === dom.TEXT) return unseen ? "" : dom.data(child);
    if (type !== dom.ELEMENT) return "";
    if (dom.tag(child) === "br") return " ";
    const text = this.compute(child, way);
    const display = this.look.style(child).display;
    return display === "inline" || display === "contents" ? text : ` ${text} `;
  }

  /** What a style sheet puts before or after the content: its alternative text where it gives one. */
  generated(element, which) {
    const style = getComputedStyle(element, which);
    if (style.content === "none" || style.content === "normal" || style.content === "" || style.display === "none" || style.visibility !== "visible") return "";
    const text = written(style.content, element);
    return style.display === "inline" ? text : ` ${text} `;
  }
}

/** Elements below, hidden ones left out. @param {Element} element @param {import("./tree.js").Look} look */
function below(element, look) {
  const found = [];
  for (const child of children(element)) {
    if (dom.nodeType(child) === dom.ELEMENT && !look.isGone(child)) found.push(child, ...below(child, look));
  }
  return found;
}

const BUTTONS = ["button", "submit", "reset"];
/** What the browser writes on a button without any text of its own. */
const DEFAULTS = { submit: "Submit", reset: "Reset", image: "Submit" };
const RANGES = new Set(["meter", "progressbar", "scrollbar", "slider", "spinbutton"]);
const LABELABLE = new Set(["button", "input", "meter", "output", "progress", "select", "textarea"]);
/** HTML gives these a name from their content although ARIA's role for them has none. */
const NATIVE_CONTENTS = new Set(["summary", "label", "legend", "caption", "figcaption", "dt", "svg:text"]);

const text = (element, name) => flat(dom.attribute(element, name) ?? "");
const alternative = (element) => dom.attribute(element, "alt") ?? "";

/** Tag -> what HTML-AAM and SVG-AAM take a name from, before the title. */
const NATIVE = {
  area: alternative, img: alternative,
  input: (element) => {
    const type = dom.inputType(element);
    if (type === "image") return alternative(element);
    return BUTTONS.includes(type) ? dom.attribute(element, "value") ?? "" : "";
  },
  fieldset: (element, names) => names.ofChild(element, "legend"),
  figure: (element, names) => names.ofChild(element, "figcaption"),
  table: (element, names) => names.ofChild(element, "caption"),
  optgroup: (element) => text(element, "label"), option: (element) => text(element, "label"), track: (element) => text(element, "label"),
  "svg:svg": (element, names) => names.ofChild(element, "svg:title"), "svg:g": (element, names) => names.ofChild(element, "svg:title"),
  "svg:a": (element) => text(element, "xlink:title"), "svg:path": (element, names) => names.ofChild(element, "svg:title"),
  "svg:rect": (element, names) => names.ofChild(element, "svg:title"), "svg:circle": (element, names) => names.ofChild(element, "svg:title"),
};

/** The strings in a computed `content`, those after the slash where there are any. @param {string} content @param {Element} element */
export function written(content, element) {
  const parts = { shown: "", instead: /** @type {string|null} */ (null) };
  const token = /"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|(\/)|[\w-]+\([^)]*\)|[^\s"/]+/g;
  for (const [, string, name, slash] of content.matchAll(token)) {
    if (slash) parts.instead = "";
    const piece = string !== undefined ? string.replace(/\\(.)/g, "$1") : name !== undefined ? dom.attribute(element, name) ?? "" : "";
    if (parts.instead === null) parts.shown += piece;
    else parts.instead += piece;
  }
  return parts.instead ?? parts.shown;
}
