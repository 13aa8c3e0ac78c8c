/**
 * The structured actions, one function a verb, each synchronous: it is done, or not done, when it returns. Which node is
 * acted on, and whether it may be, is settled before (main.js); what came of it is seen after (effects.js).
 */
import * as dom from "./dom.js";
import { isEditingHost, isFocusable } from "./roles.js";
import { focused } from "./tree.js";

/** Types of input whose activation opens a window of the browser's, which only the user's own input may. */
const BROWSER_WINDOWS = new Set(["color", "date", "datetime-local", "file", "month", "time", "week"]);

/** @param {Element} element @param {string} name */
function pointer(element, name) {
  const rect = dom.boundingRect(element);
  const kind = name.startsWith("pointer") ? PointerEvent : MouseEvent;
  const buttons = name.endsWith("down") ? 1 : 0;
  const at = { clientX: rect.x + rect.width / 2, clientY: rect.y + rect.height / 2 };
  dom.dispatch(element, new kind(name, { bubbles: true, cancelable: true, composed: true, view: window, detail: 1, button: 0, buttons, ...at }));
}

/**
 * Clicks as far as an extension can, and notes what the page made of the click.
 * @param {Element} element @param {import("./effects.js").Effects} effects
 * @returns {{trusted: boolean}}  trusted: there is a sign that only the user's own input would do
 */
export function activate(element, effects) {
  if (BROWSER_WINDOWS.has(dom.inputType(element)) || dom.tag(element) === "select") {
    effects.arm();
    return { trusted: true };
  }
  if (isFocusable(element) && focused() !== element) dom.focusOn(element, { preventScroll: true });
  effects.arm();
  const signs = watch(element);
  for (const name of ["pointerdown", "mousedown", "pointerup", "mouseup"]) pointer(element, name);
  if (element instanceof HTMLElement) dom.click(element);
  else dom.dispatch(element, new MouseEvent("click", { bubbles: true, cancelable: true, composed: true, view: window, detail: 1 }));
  return { trusted: signs() };
}

/**
 * Signs that the page, or the browser, wanted a trusted click: somebody took the event and nothing is to be seen of it
 * (the caller asks only then), or the click should have opened a window, which needs the user.
 */
function watch(element) {
  let taken = null;
  const note = (event) => { taken = event.defaultPrevented; };
  const event = "click";
  window.addEventListener(event, note);
  return () => {
    window.removeEventListener(event, note);
    const stopped = taken === null;
    const inline = dom.closest(element, "[onclick]") !== null;
    const link = dom.closest(element, "a[target], area[target], form[target]");
    const window_ = link !== null && !["", "_self", "_parent", "_top"].includes((dom.attribute(link, "target") ?? "").toLowerCase());
    return stopped || taken === true || inline || window_;
  };
}

/** @param {Element} element */
export function focus(element) {
  if (focused() === element) return "already";
  dom.focusOn(element, { preventScroll: true });
  return focused() === element ? "focus" : null;
}

/** @param {Element} element @returns {"already"|"scroll"|null} */
export function scrollIntoView(element) {
  if (inViewport(element)) return "already";
  dom.scrollTo(element, { block: "center", inline: "center", behavior: "instant" });
  return inViewport(element) ? "scroll" : null;
}

/** Whether some of the element's box is inside the frame's viewport. @param {Element} element */
export function inViewport(element) {
  const rect = dom.boundingRect(element);
  return rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth && (rect.width > 0 || rect.height > 0);
}

const setInput = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
const setArea = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set;

/**
 * Gives an element a value with the events that a user's typing gives.
 * @param {Element} element @param {string|boolean|string[]} wanted
 * @returns {{reason?: string, state?: string, already?: boolean}}  reason: why nothing was done
 */
export function setValue(element, wanted) {
  const type = dom.inputType(element);
  if (type === "checkbox" || type === "radio") return setChecked(element, type, wanted);
  if (dom.tag(element) === "select") return setChosen(element, wanted);
  if (typeof wanted !== "string") return { reason: "not_actionable", state: "wants_text" };
  if (dom.fieldValue(element) !== null) return setField(element, wanted);
  return isEditingHost(element) ? setEditable(element, wanted) : { reason: "not_actionable", state: "no_field" };
}

function announce(element, names) {
  for (const name of names) {
    const event = name === "input" ? new InputEvent(name, { bubbles: true, composed: true, inputType: "insertReplacementText" }) : new Event(name, { bubbles: true });
    dom.dispatch(element, event);
  }
}

/** What comes before a change; a page that prevents it is left as it is. */
function typed(wanted) {
  return new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType: "insertReplacementText", data: wanted });
}

function setField(element, wanted) {
  if (dom.fieldValue(element) === wanted) return { already: true };
  dom.focusOn(element, { preventScroll: true });
  if (!dom.dispatch(element, typed(wanted))) return {};
  Reflect.apply(element instanceof HTMLInputElement ? setInput : setArea, element, [wanted]);
  announce(element, ["input", "change"]);
  return {};
}

function setChecked(element, type, wanted) {
  if (typeof wanted !== "boolean") return { reason: "not_actionable", state: "wants_true_or_false" };
  if (dom.isChecked(element) === wanted && !dom.isIndeterminate(element)) return { already: true };
  if (type === "radio" && !wanted) return { reason: "not_actionable", state: "choose_another" };
  dom.focusOn(element, { preventScroll: true });
  dom.click(element);
  if (dom.isChecked(element) !== wanted) dom.click(element);
  return {};
}

/** Options are named by their text, or else by their value; one that two options have is ambiguous. */
function setChosen(element, wanted) {
  if (typeof wanted === "boolean") return { reason: "not_actionable", state: "wants_text" };
  const words = Array.isArray(wanted) ? wanted : [wanted];
  if (words.length !== 1 && !dom.hasAttribute(element, "multiple")) return { reason: "not_actionable", state: "wants_one" };
  const options = [...dom.optionsOf(element)];
  const picked = [];
  for (const word of words) {
    const text = (option) => dom.textContent(option).replace(/[\t\n\f\r ]+/g, " ").trim();
    const byText = options.filter((option) => text(option) === word.trim());
    const found = byText.length ? byText : options.filter((option) => dom.attribute(option, "value") === word);
    if (found.length > 1) return { reason: "ambiguous_target" };
    if (!found.length || dom.matches(found[0], ":disabled")) return { reason: "not_actionable", state: "no_such_option" };
    picked.push(found[0]);
  }
  if (options.every((option) => dom.isSelected(option) === picked.includes(option))) return { already: true };
  dom.focusOn(element, { preventScroll: true });
  const set = Object.getOwnPropertyDescriptor(HTMLOptionElement.prototype, "selected").set;
  if (dom.hasAttribute(element, "multiple")) for (const option of options) Reflect.apply(set, option, [picked.includes(option)]);
  else Reflect.apply(set, picked[0], [true]);
  announce(element, ["input", "change"]);
  return {};
}

/** Replaces the text of an editing host by the editor's own command, so that its history and its listeners see it. */
function setEditable(element, wanted) {
  if (dom.textOf(element).replace(/\n$/, "") === wanted) return { already: true };
  dom.focusOn(element, { preventScroll: true });
  if (!dom.dispatch(element, typed(wanted))) return {};
  const selection = getSelection();
  selection.selectAllChildren(element);
  document.execCommand(wanted === "" ? "delete" : "insertText", false, wanted);
  dom.dispatch(element, new Event("change", { bubbles: true }));
  return {};
}

/** Whether an element now holds what was wanted. @param {Element} element @param {string|boolean|string[]} wanted */
export function holds(element, wanted) {
  const type = dom.inputType(element);
  if (type === "checkbox" || type === "radio") return dom.isChecked(element) === wanted;
  if (dom.tag(element) === "select") {
    const words = (Array.isArray(wanted) ? wanted : [wanted]).map((word) => String(word).trim());
    const chosen = [...dom.optionsOf(element)].filter((option) => dom.isSelected(option));
    const fits = (option, word) => dom.textContent(option).replace(/[\t\n\f\r ]+/g, " ").trim() === word || dom.attribute(option, "value") === word;
    return chosen.length === words.length && words.every((word) => chosen.some((option) => fits(option, word)));
  }
  const now = dom.fieldValue(element);
  return (now ?? dom.textOf(element).replace(/\n$/, "")).replace(/\r\n?/g, "\n") === String(wanted).replace(/\r\n?/g, "\n");
}
