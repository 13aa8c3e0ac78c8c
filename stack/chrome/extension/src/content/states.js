/**
 * States, values and actions of an element that has a role. One table a state: which roles have it, and where HTML says
 * it. Separate from roles, because these change while a role stays.
 */
import * as dom from "./dom.js";
import { isEditingHost, isFocusable } from "./roles.js";
import { focused } from "./tree.js";

const CHECKABLE = new Set(["checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch", "treeitem", "option"]);
const SELECTABLE = new Set(["cell", "columnheader", "gridcell", "option", "row", "rowheader", "tab", "treeitem"]);
const FIELDS = new Set(["combobox", "searchbox", "spinbutton", "textbox"]);
const RANGES = new Set(["meter", "progressbar", "scrollbar", "slider", "spinbutton"]);
const ACTIVE = new Set(["button", "checkbox", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio", "switch", "tab", "treeitem"]);

/** @param {Element} element @param {string} name @returns {boolean|null} */
function truth(element, name) {
  const value = (dom.attribute(element, name) ?? "").toLowerCase();
  return value === "true" ? true : value === "false" ? false : null;
}

/** @param {Element} element @param {string} name */
function threeWay(element, name) {
  const value = (dom.attribute(element, name) ?? "").toLowerCase();
  return ["true", "false", "mixed"].includes(value) ? value : null;
}

/** Disabled by itself, by its group, or by ARIA above it. @param {Element} element @returns {boolean} */
export function isDisabled(element) {
  if (dom.isHtml(element) && dom.matches(element, ":disabled")) return true;
  return dom.closest(element, "[aria-disabled]") !== null && truth(dom.closest(element, "[aria-disabled]"), "aria-disabled") === true;
}

/** @param {Element} element @param {string} role */
function checked(element, role) {
  if (!CHECKABLE.has(role)) return null;
  const type = dom.inputType(element);
  if (type === "checkbox" || type === "radio") {
    if (type === "checkbox" && dom.isIndeterminate(element)) return "mixed";
    return dom.isChecked(element) ? "true" : "false";
  }
  return threeWay(element, "aria-checked") ?? (["option", "treeitem"].includes(role) ? null : "false");
}

/** @param {Element} element @param {string} role */
function selected(element, role) {
  if (!SELECTABLE.has(role)) return null;
  if (dom.tag(element) === "option") return dom.isSelected(element);
  return truth(element, "aria-selected");
}

/** @param {Element} element */
function expanded(element) {
  if (dom.tag(element) === "summary") {
    const details = dom.parentNode(element);
    return details && dom.nodeType(details) === dom.ELEMENT && dom.tag(details) === "details" ? dom.hasAttribute(details, "open") : null;
  }
  return truth(element, "aria-expanded");
}

/** State -> what it is now; null where the element has no such state. */
const STATES = {
  busy: (element) => truth(element, "aria-busy") || null,
  checked,
  current: (element) => {
    const value = dom.attribute(element, "aria-current");
    return value && value !== "false" ? value.slice(0, 32) : null;
  },
  disabled: (element) => isDisabled(element) || null,
  expanded,
  focused: (element, role, now) => now === element || null,
  invalid: (element) => (dom.attribute(element, "aria-invalid") ?? "false") !== "false" || null,
  modal: (element, role) => (role === "dialog" || role === "alertdialog" ? truth(element, "aria-modal") || null : null),
  multiselectable: (element, role) => (role === "listbox" && dom.hasAttribute(element, "multiple")) || truth(element, "aria-multiselectable") || null,
  pressed: (element, role) => (role === "button" ? threeWay(element, "aria-pressed") : null),
  readonly: (element, role) => (FIELDS.has(role) && (dom.hasAttribute(element, "readonly") || truth(element, "aria-readonly"))) || null,
  required: (element) => dom.hasAttribute(element, "required") || truth(element, "aria-required") || null,
  selected,
};

/** States that elements without any attribute of ARIA can have, too. */
const PLAIN = ["checked", "disabled", "expanded", "focused", "multiselectable", "readonly", "required", "selected"].map((name) => [name, STATES[name]]);
const ALL = Object.entries(STATES);

/** The states that an element has now. @param {Element} element @param {string} role @param {Element|null} [now]  with focus */
export function states(element, role, now = focused()) {
  const found = {};
  const aria = dom.attributeNames(element).some((name) => name.startsWith("aria-"));
  for (const [name, read] of aria ? ALL : PLAIN) {
    const value = read(element, role, now);
    if (value !== null && value !== false) found[name] = value;
    else if (value === false && (name === "expanded" || name === "selected")) found[name] = false;
  }
  return found;
}

/** What a field, range or chosen option says; null where there is nothing, or nothing may be said. */
export function value(element, role) {
  if (dom.tag(element) === "select") return dom.chosenTexts(element).join(", ");
  if (FIELDS.has(role) || RANGES.has(role)) {
    const own = dom.fieldValue(element);
    if (own !== null) return own;
    const given = dom.attribute(element, "aria-valuetext") ?? dom.attribute(element, "aria-valuenow") ?? dom.attribute(element, "value");
    if (given !== null) return given;
    return isEditingHost(element) ? dom.textOf(element) : null;
  }
  return isEditingHost(element) ? dom.textOf(element) : null;
}

/** What can be asked of an element. @param {Element} element @param {string} role @returns {string[]} */
export function actions(element, role) {
  const found = [];
  const able = !isDisabled(element);
  if (able && (ACTIVE.has(role) || dom.hasAttribute(element, "onclick") || dom.tag(element) === "summary")) found.push("activate");
  if (able && isFocusable(element)) {
    if (!found.length && role !== "iframe" && !isEditable(element)) found.push("activate");
    found.push("focus");
  }
  found.push("scroll_into_view");
  if (able && isSettable(element)) found.push("set_value");
  return found;
}

/** @param {Element} element */
function isEditable(element) {
  const name = dom.tag(element);
  return name === "textarea" || name === "select" || isEditingHost(element)
    || (name === "input" && !["checkbox", "radio", "button", "submit", "reset", "image", "file", "color"].includes(dom.inputType(element)));
}

/** Whether set_value can change it. @param {Element} element */
export function isSettable(element) {
  const type = dom.inputType(element);
  if (type === "checkbox" || type === "radio") return true;
  if (dom.hasAttribute(element, "readonly") || truth(element, "aria-readonly") === true) return false;
  return isEditable(element) || type === "color";
}

/** Level of a heading or tree item, from 1; null for others. @param {Element} element @param {string} role */
export function level(element, role) {
  const given = Number.parseInt(dom.attribute(element, "aria-level") ?? "", 10);
  if (given >= 1 && given <= 100) return given;
  const tag = dom.tag(element);
  if (role === "heading") return /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2;
  return null;
}
