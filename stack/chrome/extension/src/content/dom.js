/**
 * The DOM as the browser gives it, whatever the page does: every read goes through getters and methods taken from the
 * prototypes. Separate because a form's named fields hide its own properties (`<input name="parentNode">`), in the
 * isolated world too, so that `element.parentNode` is the page's word.
 */

import { remembered } from "./memory.js";

const { call } = Function.prototype;

/** @param {object} prototype @param {string} name @returns {(self: any) => any} */
function getter(prototype, name) {
  return /** @type {any} */ (call.bind(Object.getOwnPropertyDescriptor(prototype, name).get));
}

/** @param {any} prototype @param {string} name @returns {(self: any, ...rest: any[]) => any} */
function method(prototype, name) {
  return /** @type {any} */ (call.bind(prototype[name]));
}

export const nodeType = getter(Node.prototype, "nodeType");
export const parentNode = getter(Node.prototype, "parentNode");
export const firstChild = getter(Node.prototype, "firstChild");
export const nextSibling = getter(Node.prototype, "nextSibling");
export const textContent = getter(Node.prototype, "textContent");
export const isConnected = getter(Node.prototype, "isConnected");
export const rootOf = method(Node.prototype, "getRootNode");
export const data = getter(CharacterData.prototype, "data");
export const localName = getter(Element.prototype, "localName");
export const namespace = getter(Element.prototype, "namespaceURI");
export const attribute = method(Element.prototype, "getAttribute");
export const hasAttribute = method(Element.prototype, "hasAttribute");
export const matches = method(Element.prototype, "matches");
export const closest = method(Element.prototype, "closest");
export const shadowRoot = getter(Element.prototype, "shadowRoot");
export const assignedSlot = getter(Element.prototype, "assignedSlot");
export const textSlot = getter(Text.prototype, "assignedSlot");
export const assignedNodes = method(HTMLSlotElement.prototype, "assignedNodes");
export const previousElement = getter(Element.prototype, "previousElementSibling");
export const nextElement = getter(Element.prototype, "nextElementSibling");
export const clientRects = method(Element.prototype, "getClientRects");
export const boundingRect = method(Element.prototype, "getBoundingClientRect");
export const scrollTo = method(Element.prototype, "scrollIntoView");
export const click = method(HTMLElement.prototype, "click");
export const focusOn = method(HTMLElement.prototype, "focus");
export const dispatch = method(EventTarget.prototype, "dispatchEvent");
export const isBoxed = method(Element.prototype, "checkVisibility");
export const attributeNames = method(Element.prototype, "getAttributeNames");
export const linkAddress = getter(HTMLAnchorElement.prototype, "href");
export const textOf = getter(HTMLElement.prototype, "innerText");

const documentOfFrame = getter(HTMLIFrameElement.prototype, "contentDocument");
const documentOfOldFrame = getter(HTMLFrameElement.prototype, "contentDocument");
/** The document in a frame, where it is of this document's origin; null for others, and for elements that are none. */
export function documentIn(element) {
  const name = tag(element);
  return name === "iframe" ? documentOfFrame(element) : name === "frame" ? documentOfOldFrame(element) : null;
}

export const ELEMENT = 1;
export const TEXT = 3;

const HTML = "http://www.w3.org/1999/xhtml";

/** Lower-case tag of an HTML element; for other elements with a prefix, `svg:a`. */
export const tag = remembered((/** @type {Element} */ element) => {
  const space = namespace(element);
  if (space === HTML) return localName(element);
  return `${space === "http://www.w3.org/2000/svg" ? "svg" : "other"}:${localName(element)}`;
});

/** Whether a node is an element of HTML. @param {Node} node */
export function isHtml(node) {
  return nodeType(node) === ELEMENT && namespace(node) === HTML;
}

/** The words of an attribute, in order. @param {Element} element @param {string} name @returns {string[]} */
export function tokens(element, name) {
  const value = attribute(element, name);
  return value ? value.split(/[\t\n\f\r ]+/).filter(Boolean) : [];
}

/** The element that an id names in the same tree. @param {Element} element @param {string} id @returns {Element|null} */
export function byId(element, id) {
  const root = rootOf(element);
  return typeof root.getElementById === "function" ? Reflect.apply(root.getElementById, root, [id]) : null;
}

/** The elements that an attribute of ids names. @param {Element} element @param {string} name @returns {Element[]} */
export function named(element, name) {
  return tokens(element, name).map((id) => byId(element, id)).filter((found) => found !== null);
}

const typeOf = getter(HTMLInputElement.prototype, "type");
/** The type of an input, as the browser understands it; "" for other elements. @param {Element} element @returns {string} */
export function inputType(element) {
  return tag(element) === "input" ? typeOf(element) : "";
}

const inputValue = getter(HTMLInputElement.prototype, "value");
const areaValue = getter(HTMLTextAreaElement.prototype, "value");
const selectedOptions = getter(HTMLSelectElement.prototype, "selectedOptions");
const optionText = getter(HTMLOptionElement.prototype, "text");
export const isChecked = getter(HTMLInputElement.prototype, "checked");
export const isIndeterminate = getter(HTMLInputElement.prototype, "indeterminate");
export const isSelected = getter(HTMLOptionElement.prototype, "selected");
export const optionsOf = getter(HTMLSelectElement.prototype, "options");

const labelsOfInput = getter(HTMLInputElement.prototype, "labels");
const labelsOf = new Map(["Button", "Meter", "Output", "Progress", "Select", "TextArea"]
  .map((name) => [name.toLowerCase(), getter(globalThis[`HTML${name}Element`].prototype, "labels")]));

/** The labels of a control, in tree order. @param {Element} element @returns {Element[]} */
export function labels(element) {
  const name = tag(element);
  if (name === "input") return [...(labelsOfInput(element) ?? [])];
  const read = labelsOf.get(name);
  return read ? [...read(element)] : [];
}

/** What a text field holds; null for elements that are none. @param {Element} element @returns {string|null} */
export function fieldValue(element) {
  const name = tag(element);
  return name === "input" ? inputValue(element) : name === "textarea" ? areaValue(element) : null;
}

/** Texts of the chosen options of a select. @param {Element} element @returns {string[]} */
export function chosenTexts(element) {
  return [...selectedOptions(element)].map((option) => optionText(option));
}
