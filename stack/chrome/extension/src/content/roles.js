/**
 * The role of an element: the one that its author gives, where ARIA lets it count, else the one that HTML implies.
 * Separate from names, which depend on roles, while roles ask of names only whether the author wrote one.
 *
 * The roles and what ARIA says of them come from aria-query (when the extension is built); scoping after HTML-AAM.
 */
import { ROLES } from "virtual:aria";
import * as dom from "./dom.js";
import { remembered } from "./memory.js";
import { parent } from "./tree.js";

/** Attributes that every role takes. One of them keeps an element from being presentational. */
const GLOBAL = ["atomic", "busy", "controls", "current", "describedby", "details", "dropeffect", "flowto", "grabbed",
  "keyshortcuts", "label", "labelledby", "live", "owns", "relevant", "roledescription"].map((name) => `aria-${name}`);

const SECTIONING = new Set(["article", "aside", "main", "nav", "section"]);
const SECTIONING_ROLES = new Set(["article", "complementary", "main", "navigation", "region"]);

/** Type of an input -> role. Those not here are textboxes, or comboboxes with a list. */
const INPUTS = {
  button: "button", checkbox: "checkbox", image: "button", number: "spinbutton", radio: "radio", range: "slider",
  reset: "button", search: "searchbox", submit: "button", color: "button", file: "button",
  date: "textbox", "datetime-local": "textbox", month: "textbox", time: "textbox", week: "textbox",
  password: "textbox", hidden: "generic",
};
const LISTED = new Set(["text", "search", "tel", "url", "email"]);

/** Tag -> role, or a rule that gives it. */
const IMPLICIT = {
  a: linkOrGeneric, address: "group", area: linkOrGeneric, article: "article", aside: asideRole, blockquote: "blockquote", button: "button",
  caption: "caption", code: "code", datalist: "listbox", dd: "definition", del: "deletion", details: "group",
  dfn: "term", dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group", figcaption: "generic",
  figure: "figure", footer: (element) => (isScoped(element) ? "generic" : "contentinfo"), form: namedRole("form"), h1: "heading",
  h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
  header: (element) => (isScoped(element) ? "generic" : "banner"), hgroup: "group", hr: "separator", html: "document", iframe: "iframe",
  img: imageRole, input: inputRole, ins: "insertion", li: listItemRole, main: "main", mark: "mark",
  "other:math": "math", menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option",
  output: "status", p: "paragraph", progress: "progressbar", s: "deletion", search: "search", section: namedRole("region"),
  select: selectRole, strong: "strong", sub: "subscript", summary: summaryRole, sup: "superscript",
  "svg:svg": vectorRole, "svg:a": linkOrGeneric, "svg:image": "img", "svg:text": "generic", table: "table", tbody: tablePart("rowgroup"),
  td: cellRole, textarea: "textbox", tfoot: tablePart("rowgroup"), th: headerRole, thead: tablePart("rowgroup"), time: "time",
  tr: tablePart("row"), ul: "list",
};

/** @param {Element} element */
export function hasAuthorName(element) {
  const text = (name) => (dom.attribute(element, name) ?? "").trim() !== "";
  return text("aria-label") || text("title") || dom.named(element, "aria-labelledby").length > 0;
}

/** The role of an element. @param {Element} element @returns {string} */
export const role = remembered((/** @type {Element} */ element) => {
  const given = authorRole(element);
  if (given !== null && !(isPresentational(given) && mustNotBePresentational(element))) {
    return isPresentational(given) ? "presentation" : given;
  }
  return implicitRole(element);
});

/** The role that the author gives and ARIA knows; null where there is none that counts. @param {Element} element */
export function authorRole(element) {
  for (const word of dom.tokens(element, "role")) {
    const given = word.toLowerCase();
    if (!ROLES.has(given)) continue;
    if ((given === "region" || given === "form") && !hasAuthorName(element)) continue;
    if (given === "image") return "img";
    return given;
  }
  return null;
}

/** The role that HTML and SVG imply. @param {Element} element @returns {string} */
export function implicitRole(element) {
  if (inheritsPresentation(element)) return "presentation";
  const rule = IMPLICIT[dom.tag(element)] ?? "generic";
  const implied = typeof rule === "function" ? rule(element) : rule;
  return implied === "generic" && isEditingHost(element) ? "textbox" : implied;
}

/** @param {string} name */
function isPresentational(name) {
  return name === "none" || name === "presentation";
}

/** Focusable elements, and those with global attributes, keep their meaning. @param {Element} element */
function mustNotBePresentational(element) {
  return isFocusable(element) || GLOBAL.some((name) => dom.hasAttribute(element, name)
    && (name !== "aria-label" || (dom.attribute(element, name) ?? "").trim() !== ""));
}

/** Whether the user can put the focus there. @param {Element} element */
export function isFocusable(element) {
  const name = dom.tag(element);
  if (dom.hasAttribute(element, "tabindex") && !Number.isNaN(Number.parseInt(dom.attribute(element, "tabindex"), 10))) return true;
  if (["button", "input", "select", "textarea"].includes(name)) {
    return !dom.matches(element, ":disabled") && !(name === "input" && dom.attribute(element, "type") === "hidden");
  }
  if (name === "a" || name === "area" || name === "svg:a") return dom.hasAttribute(element, "href") || dom.hasAttribute(element, "xlink:href");
  if (name === "summary") return summaryRole(element) === "button";
  return isEditingHost(element);
}

/** Whether an element takes text because of its own attribute. @param {Element} element */
export function isEditingHost(element) {
  const value = dom.attribute(element, "contenteditable");
  return value !== null && ["", "true", "plaintext-only"].includes(value.toLowerCase());
}

/** Parts of a list or table without meaning have none. @param {Element} element */
function inheritsPresentation(element) {
  const owners = OWNERS[dom.tag(element)];
  if (!owners || mustNotBePresentational(element)) return false;
  for (let above = parent(element); above; above = parent(above)) {
    const name = dom.tag(above);
    if (owners.owner.includes(name)) {
      const given = authorRole(above);
      return given !== null && isPresentational(given) && !mustNotBePresentational(above);
    }
    if (!owners.through.includes(name)) return false;
  }
  return false;
}

const TABLE_PARTS = ["tbody", "thead", "tfoot", "tr"];
const OWNERS = {
  li: { owner: ["ul", "ol", "menu"], through: [] },
  tbody: { owner: ["table"], through: [] }, thead: { owner: ["table"], through: [] }, tfoot: { owner: ["table"], through: [] },
  tr: { owner: ["table"], through: TABLE_PARTS }, td: { owner: ["table"], through: TABLE_PARTS }, th: { owner: ["table"], through: TABLE_PARTS },
};

/** Inside a part of the page of its own, header and footer belong to that part. @param {Element} element */
function isScoped(element) {
  for (let above = parent(element); above; above = parent(above)) {
    const given = authorRole(above);
    if (given === null ? SECTIONING.has(dom.tag(above)) : SECTIONING_ROLES.has(given)) return true;
  }
  return false;
}

function linkOrGeneric(element) {
  return dom.hasAttribute(element, "href") || dom.hasAttribute(element, "xlink:href") ? "link" : "generic";
}

function asideRole(element) {
  for (let above = parent(element); above; above = parent(above)) {
    if (["article", "aside", "nav", "section"].includes(dom.tag(above))) return hasAuthorName(element) ? "complementary" : "generic";
  }
  return "complementary";
}

function namedRole(name) {
  return (element) => (hasAuthorName(element) ? name : "generic");
}

function imageRole(element) {
  if (dom.attribute(element, "alt") !== "") return "img";
  return hasAuthorName(element) || mustNotBePresentational(element) ? "img" : "presentation";
}

function vectorRole(element) {
  return hasAuthorName(element) || hasSvgTitle(element) ? "img" : "graphics-document";
}

function hasSvgTitle(element) {
  for (let child = dom.firstChild(element); child; child = dom.nextSibling(child)) {
    if (dom.nodeType(child) === dom.ELEMENT && dom.tag(child) === "svg:title") return true;
  }
  return false;
}

/** The type of an input, as the browser understands it. @param {Element} element @returns {string} */
export function inputType(element) {
  return dom.inputType(element);
}

function inputRole(element) {
  const type = inputType(element);
  if (LISTED.has(type) && dom.hasAttribute(element, "list") && dom.byId(element, dom.attribute(element, "list"))) return "combobox";
  if (type === "checkbox" && dom.hasAttribute(element, "switch")) return "switch";
  return INPUTS[type] ?? "textbox";
}

function selectRole(element) {
  const size = Number.parseInt(dom.attribute(element, "size") ?? "", 10);
  return dom.hasAttribute(element, "multiple") || size > 1 ? "listbox" : "combobox";
}

function listItemRole(element) {
  const above = parent(element);
  if (!above) return "generic";
  const owner = ["ul", "ol", "menu"].includes(dom.tag(above)) || authorRole(above) === "list" || dom.tag(above) === "slot";
  return owner ? "listitem" : "generic";
}

function summaryRole(element) {
  const above = parent(element);
  if (!above || dom.tag(above) !== "details") return "generic";
  for (let before = dom.firstChild(above); before && before !== element; before = dom.nextSibling(before)) {
    if (dom.isHtml(before) && dom.localName(before) === "summary") return "generic";
  }
  return "button";
}

function tableOf(element) {
  for (let above = parent(element); above; above = parent(above)) if (dom.tag(above) === "table") return above;
  return null;
}

function tablePart(name) {
  return (element) => {
    const table = tableOf(element);
    if (!table) return "generic";
    const given = authorRole(table);
    return given === null || ["table", "grid", "treegrid"].includes(given) || isPresentational(given) ? name : "generic";
  };
}

function cellRole(element) {
  const table = tableOf(element);
  if (!table) return "generic";
  const given = authorRole(table);
  if (given === "grid" || given === "treegrid") return "gridcell";
  return given === null || given === "table" || isPresentational(given) ? "cell" : "generic";
}

/** A header cell heads a column, a row, or neither, as its scope says, or what stands beside it. */
function headerRole(element) {
  const plain = cellRole(element);
  if (plain === "generic") return plain;
  const scope = (dom.attribute(element, "scope") ?? "").toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = parent(element);
  if (!row) return "columnheader";
  const beside = cells(row).filter((cell) => cell !== element);
  if (beside.some((cell) => dom.tag(cell) === "td")) return "rowheader";
  const table = tableOf(element);
  return beside.length === 0 && table !== null && cells(table).length <= 1 ? plain : "columnheader";
}

function cells(above) {
  return [...Element.prototype.querySelectorAll.call(above, "td, th")];
}
