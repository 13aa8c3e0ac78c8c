/**
 * Where an element is to be seen: the part of its box that is in the viewport, cut by what clips it, hit at its centre
 * and not covered. Also where a child frame lies: the child sends a word to its parent, whose copy of this program sees
 * which frame it came from, so that no address or size is guessed at.
 */
import * as dom from "./dom.js";
import { contains, parent } from "./tree.js";

/** @param {{x: number, y: number, w: number, h: number}} a @param {{x: number, y: number, w: number, h: number}} b */
export function cut(a, b) {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return { x, y, w: Math.min(a.x + a.w, b.x + b.w) - x, h: Math.min(a.y + a.h, b.y + b.h) - y };
}

const viewport = () => ({ x: 0, y: 0, w: document.documentElement.clientWidth || innerWidth, h: document.documentElement.clientHeight || innerHeight });

/** The visible part of an element; a state where there is none. @param {Element} element */
export function visiblePart(element) {
  const own = [...dom.clientRects(element)].find((rect) => rect.width >= 1 && rect.height >= 1);
  if (!own) return { state: "no_box" };
  let part = cut({ x: own.x, y: own.y, w: own.width, h: own.height }, viewport());
  for (let above = parent(element); above && above !== document.documentElement && above !== document.body; above = parent(above)) {
    const style = getComputedStyle(above);
    if (style.display !== "contents" && style.overflow !== "visible") {
      const rect = dom.boundingRect(above);
      part = cut(part, { x: rect.x, y: rect.y, w: rect.width, h: rect.height });
    }
  }
  if (part.w < 1 || part.h < 1) return { state: "out_of_view" };
  const hit = at(part.x + part.w / 2, part.y + part.h / 2);
  return hit !== null && contains(element, hit) ? { part } : { state: "covered" };
}

/** The innermost element at a point of the viewport, through open shadow roots. */
function at(x, y) {
  let hit = document.elementFromPoint(x, y);
  while (hit) {
    const inside = dom.shadowRoot(hit);
    const deeper = inside ? inside.elementFromPoint(x, y) : null;
    if (!deeper || deeper === hit) break;
    hit = deeper;
  }
  return hit;
}

/** What a top frame knows of its window. */
export function view() {
  return {
    viewport: { w: innerWidth, h: innerHeight }, scroll: { x: scrollX, y: scrollY }, screen: { x: screenX, y: screenY },
    outer: { w: outerWidth, h: outerHeight }, device_pixel_ratio: devicePixelRatio,
  };
}

/** Frames that have sent the word that they were given. */
export class Children {
  constructor() {
    /** @type {Map<string, Window|null>} */
    this.awaited = new Map();
    addEventListener("message", (event) => {
      const word = event.data;
      if (event.isTrusted && typeof word === "string" && this.awaited.get(word) === null) {
        event.stopImmediatePropagation();
        this.awaited.set(word, event.source);
      }
    }, true);
  }

  /** @param {string} word */
  expect(word) {
    this.awaited.set(word, null);
  }

  /** @param {string} word @returns {Element|null} */
  frame(word) {
    const source = this.awaited.get(word) ?? null;
    if (source === null) return null;
    this.awaited.delete(word);
    return frames(document).find((each) => each.contentWindow === source) ?? null;
  }
}

/** All frame elements of a tree and of the open shadow roots in it. @param {ParentNode} root @returns {any[]} */
function frames(root) {
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const name = dom.tag(node);
    if (name === "iframe" || name === "frame") found.push(node);
    const inside = dom.shadowRoot(node);
    if (inside) found.push(...frames(inside));
  }
  return found;
}

/** A rectangle of a child frame's viewport, in this frame's: cut by the frame, and hit where its centre is. */
export function mapped(frame, part, scroll) {
  if (scroll) dom.scrollTo(frame, { block: "nearest", inline: "nearest", behavior: "instant" });
  const rect = dom.boundingRect(frame);
  const style = getComputedStyle(frame);
  const scale = frame.offsetWidth ? rect.width / frame.offsetWidth : 1;
  const side = (name) => (Number.parseFloat(style[`border${name}Width`]) + Number.parseFloat(style[`padding${name}`])) * scale;
  const inner = { x: rect.x + side("Left"), y: rect.y + side("Top"), w: frame.clientWidth * scale, h: frame.clientHeight * scale };
  const moved = { x: inner.x + part.x * scale, y: inner.y + part.y * scale, w: part.w * scale, h: part.h * scale };
  const seen = cut(cut(moved, inner), viewport());
  if (seen.w < 1 || seen.h < 1) return { state: "out_of_view" };
  return at(seen.x + seen.w / 2, seen.y + seen.h / 2) === frame ? { part: seen, offset: { x: inner.x, y: inner.y } } : { state: "covered" };
}

