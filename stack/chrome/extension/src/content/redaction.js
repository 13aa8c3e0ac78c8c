/**
 * What must not leave the page: passwords, one-time codes, card data, and texts of the page that repeat such a value.
 * Separate because it is asked before anything of a field is read, by names, snapshots, fingerprints and actions alike.
 */
import * as dom from "./dom.js";
import { remembered } from "./memory.js";

/** Words of `autocomplete` that say that a field holds a secret. */
const SECRET_WORDS = new Set(["current-password", "new-password", "one-time-code", "cc-name", "cc-given-name", "cc-additional-name",
  "cc-family-name", "cc-number", "cc-exp", "cc-exp-month", "cc-exp-year", "cc-csc", "cc-type", "webauthn"]);

/** The same by what authors call such fields, where they give no autocomplete. */
const SECRET_NAMES = new RegExp([
  "passw", "passcode", "passphrase", "(^|[^a-z])(pwd|pin|otp|totp|mfa|2fa|cvv2?|cvc2?|csc|ssn|iban)([^a-z]|$)", "one.?time", "verif[a-z]*.?code",
  "security.?code", "auth[a-z]*.?code", "card.?(num|no)", "cc.?num", "credit.?card", "secret", "api.?key", "access.?token", "recovery.?code",
].join("|"), "i");

const NAMING = ["name", "id", "autocomplete", "aria-label", "placeholder", "title", "data-testid"];
const FIELDS = new Set(["input", "select", "textarea"]);
const WIDGETS = new Set(["combobox", "searchbox", "spinbutton", "textbox"]);
/** Shorter values stand in texts by chance. */
const REPEATED_LENGTH = 4;
export const REDACTED = "[redacted]";

/** Fields that were secret once: a "show password" button does not change what they hold. */
const everSecret = new WeakSet();

/** Whether the value of an element must not be read out. @param {Element} element @returns {boolean} */
export const isSecret = remembered((/** @type {Element} */ element) => {
  if (everSecret.has(element)) return true;
  const secret = looksSecret(element);
  if (secret) everSecret.add(element);
  return secret;
});

/** @param {Element} element */
function looksSecret(element) {
  const field = FIELDS.has(dom.tag(element));
  if (!field && dom.attribute(element, "contenteditable") === null && !WIDGETS.has(dom.attribute(element, "role") ?? "")) return false;
  const type = dom.inputType(element);
  if (type === "password" || type === "hidden") return true;
  if (["checkbox", "radio", "button", "submit", "reset", "image", "range", "color", "file"].includes(type)) return false;
  if (dom.tokens(element, "autocomplete").some((word) => SECRET_WORDS.has(word.toLowerCase()))) return true;
  if (NAMING.some((name) => dom.hasAttribute(element, name) && SECRET_NAMES.test(dom.attribute(element, name)))) return true;
  if (dom.labels(element).some((label) => SECRET_NAMES.test(dom.textContent(label).slice(0, 200)))) return true;
  const hidden = getComputedStyle(element).getPropertyValue("-webkit-text-security");
  if (hidden !== "" && hidden !== "none") return true;
  if (isDigitBox(element)) return true;
  return isCardNumber(dom.fieldValue(element) ?? (field ? "" : dom.textContent(element)));
}

/** One of several boxes for a digit each: a code that is typed box by box. @param {Element} element */
function isDigitBox(element) {
  if (dom.attribute(element, "maxlength") !== "1" || dom.tag(element) !== "input") return false;
  const root = dom.parentNode(element);
  for (let above = root, height = 0; above && height < 3; above = dom.parentNode(above), height += 1) {
    if (dom.nodeType(above) !== dom.ELEMENT) return false;
    if (Element.prototype.querySelectorAll.call(above, "input[maxlength='1']").length >= 4) return true;
  }
  return false;
}

/** 13 to 19 digits with the check digit that cards have. @param {string} text @returns {boolean} */
export function isCardNumber(text) {
  if (!/^[0-9 -]{13,30}$/.test(text.trim())) return false;
  const digits = text.replace(/[^0-9]/g, "");
  if (digits.length < 13 || digits.length > 19) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]) * (at % 2 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** @typedef {{key: number, rows: [number, number][]}} Marks  length and digest of values that other frames hold */

/** Takes the values of secret fields out of texts that repeat them. */
export class Repeats {
  /** @param {Marks} [marks] */
  constructor(marks = { key: 1, rows: [] }) {
    this.marks = marks;
    /** @type {Set<string>} */
    this.values = new Set();
    /** Trees that have been looked at. @type {Set<ParentNode>} */
    this.seen = new Set();
  }

  /** @param {Element} element  a secret field */
  add(element) {
    const value = dom.fieldValue(element) ?? dom.textContent(element);
    if (value.trim().length < REPEATED_LENGTH) return;
    for (const form of [value, value.trim(), value.replace(/[\t\n\f\r ]+/g, " ").trim()]) this.values.add(form);
    try {
      this.values.add(encodeURIComponent(value));
    } catch {
      // A lone surrogate has no form in an address.
    }
  }

  /** @param {string} text @returns {string} */
  clean(text) {
    let clean = text;
    for (const value of this.values) if (clean.includes(value)) clean = clean.split(value).join(REDACTED);
    for (const [length, digest] of this.marks.rows) clean = without(clean, length, digest, this.marks.key);
    return clean;
  }
}

/** What the secret fields of this page hold, so that other frames can find it in their texts. @param {number} key */
export function marks(key) {
  const repeats = new Repeats();
  collect(repeats);
  return [...repeats.values].map((value) => [value.length, digestOf(value, key)]);
}

/** @param {string} text @param {number} key */
function digestOf(text, key) {
  let digest = 0;
  for (let at = 0; at < text.length; at += 1) digest = step(digest, text.charCodeAt(at), key);
  return digest;
}

function step(digest, letter, key) {
  return (Math.imul(digest, key) + letter) | 0;
}

/** A text without whatever in it has this length and this digest, which rolls over the text. */
function without(text, length, digest, key) {
  let first = 1;
  for (let at = 1; at < length; at += 1) first = Math.imul(first, key);
  let clean = "";
  let kept = 0;
  let seen = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= length) seen = (seen - Math.imul(text.charCodeAt(at - length), first)) | 0;
    seen = step(seen, text.charCodeAt(at), key);
    if (seen !== digest || at + 1 < kept + length) continue;
    clean += text.slice(kept, at + 1 - length) + REDACTED;
    kept = at + 1;
  }
  return clean + text.slice(kept);
}

const TYPED_INTO = ["input, textarea", "[contenteditable]", ...[...WIDGETS].map((role) => `[role="${role}"]`)].join(", ");

/** Take note of every secret field of this page: of the outermost frame of this origin, and of all that is below it, because
 * texts of one frame repeat what was typed into another. @param {Repeats} repeats */
export function collect(repeats) {
  collectFrom(outermost(), repeats);
  if (!repeats.seen.has(document)) collectFrom(document, repeats);
}

/** The document of the outermost frame that may be read from here, by way of frames that all may. */
function outermost() {
  let here = window;
  try {
    while (here.parent !== here && here.parent.document) here = here.parent;
  } catch {
    // The frame around is of another origin.
  }
  return here.document;
}

/** The same of one tree, with open shadow roots and frames in it. @param {ParentNode} root @param {Repeats} repeats */
function collectFrom(root, repeats) {
  repeats.seen.add(root);
  const all = root.nodeType === 9 ? Document.prototype.querySelectorAll : DocumentFragment.prototype.querySelectorAll;
  for (const element of all.call(root, TYPED_INTO)) if (isSecret(element)) repeats.add(element);
  for (const element of all.call(root, "*")) {
    const inside = dom.shadowRoot(element) ?? dom.documentIn(element);
    if (inside) collectFrom(inside, repeats);
  }
}

/** Addresses without a user's name that need no second look. */
const PLAIN = /^https?:\/\/[^@]*$/;

/** An address without the user's name and password in it, and without secrets. @param {string} address @param {Repeats} repeats */
export function cleanAddress(address, repeats) {
  const bare = PLAIN.test(address) ? address : withoutUser(address);
  return repeats.clean(bare).slice(0, 2048);
}

/** @param {string} address */
function withoutUser(address) {
  try {
    const url = new URL(address);
    url.username = "";
    url.password = "";
    return url.protocol === "data:" || url.protocol === "javascript:" ? url.protocol : url.href;
  } catch {
    return "";
  }
}

/** What a page says of itself: its title, and its address. @param {number} most  letters of a title @param {Marks} [marks] */
export function titled(most, marks) {
  const repeats = new Repeats(marks);
  collect(repeats);
  return { title: repeats.clean(document.title).slice(0, most), url: cleanAddress(location.href, repeats) };
}

/** Fields are secret before anybody has looked: their type may change before the first look. */
export function watchTypes() {
  const note = (root) => Document.prototype.querySelectorAll.call(root, "input[type='password']").forEach((each) => everSecret.add(each));
  note(document);
  new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === "attributes" && record.oldValue === "password") everSecret.add(/** @type {Element} */ (record.target));
    }
    note(document);
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["type"], attributeOldValue: true });
}
