/**
 * The content program of one document: answers the worker's requests, always with an envelope. It has a nonce of its own
 * and counts its snapshots; a request for another document, another snapshot, or too late, does nothing.
 */
import * as dom from "./dom.js";
import { activate, focus, holds, inViewport, scrollIntoView, setValue } from "./actions.js";
import { Effects, Restless } from "./effects.js";
import { Prints } from "./identity.js";
import { Names } from "./names.js";
import { Children, mapped, view, visiblePart } from "./place.js";
import { Repeats, collect, isSecret, marks, titled, watchTypes } from "./redaction.js";
import { freshen } from "./memory.js";
import { role } from "./roles.js";
import { Snapshot, box } from "./snapshot.js";
import { actions, value } from "./states.js";
import { Look, focused } from "./tree.js";

/** What an element may be asked for; locating is for those that can be activated or focused. */
const NEEDS = { activate: "activate", focus: "focus", set_value: "set_value", scroll_into_view: "scroll_into_view", locate: "scroll_into_view" };
const TEXT = 1000;

function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Agent {
  constructor() {
    this.nonce = nonce();
    this.generation = 0;
    /** @type {Map<string, {element: Element, print: string}>} */
    this.handles = new Map();
    this.shown = 0;
    this.restless = new Restless();
    this.children = new Children();
    /** @type {{effects: Effects, element: Element, wanted?: any, secret: boolean}|null} */
    this.running = null;
    watchTypes();
    // A page that goes into the cache may come back; what was shown of it is stale by then.
    addEventListener("pagehide", () => this.forget(), true);
  }

  forget() {
    this.handles.clear();
    this.shown = 0;
    this.generation += 1;
    this.restless.stop();
  }

  /** @param {any} request @returns {any} */
  run(request) {
    const envelope = { v: 1, nonce: this.nonce, generation: this.generation };
    if (request.expires < Date.now()) return { ...envelope, reason: "timed_out", dispatched: false };
    if (typeof request.origin === "string" && request.origin !== location.origin) return { ...envelope, reason: "stale_snapshot" };
    if (request.nonce !== undefined && request.nonce !== this.nonce) return { ...envelope, reason: "stale_snapshot" };
    freshen();
    const operation = OPERATIONS[request.operation];
    if (!operation) return { ...envelope, reason: "invalid_message" };
    return { ...envelope, ...operation(this, request), generation: this.generation };
  }

  snapshot(request) {
    if (document.contentType === "application/pdf" || document.querySelector("body > embed[type='application/pdf']")) return { reason: "restricted_page" };
    const snapshot = new Snapshot(request.place, request.bounds, request.marks);
    const taken = snapshot.take();
    if (request.keeps) return { taken };
    this.generation += 1;
    this.handles = snapshot.handles;
    this.shown = taken.nodes.length;
    this.restless.start();
    return { taken };
  }

  /** The element of a reference, or the reason why nothing may be done with it. */
  resolve(request) {
    if (request.generation !== this.generation) return { reason: "stale_snapshot" };
    const handle = this.handles.get(request.node);
    if (!handle) {
      const number = Number(request.node.split(":")[1]);
      return { reason: number >= 1 && number <= this.shown ? "not_actionable" : "stale_snapshot" };
    }
    const { element, print } = handle;
    const look = new Look();
    if (!dom.isConnected(element) || look.isHidden(element)) return { reason: "stale_snapshot" };
    const prints = new Prints(new Names(look, isSecret));
    if (prints.of(element) !== print) return { reason: "stale_snapshot" };
    return { element };
  }

  act(request) {
    const found = this.resolve(request);
    if (found.reason) return found;
    const { element } = found;
    const kind = role(element);
    if (!actions(element, kind).includes(NEEDS[request.verb])) return { reason: "not_actionable" };
    // Its end lets the page's own changes be seen again, which the next action must not be taken for.
    this.running?.effects.end();
    this.running = null;
    const effects = new Effects(element, this.restless);
    const done = PERFORM[request.verb](element, effects, request.value);
    freshen();
    if (done.reason) {
      effects.end();
      return done;
    }
    this.running = { effects, element, wanted: request.value, secret: isSecret(element), trusted: done.trusted === true, verb: request.verb, own: done.own ?? [] };
    return { dispatched: true, ...this.peek() };
  }

  /** What the action that runs has come to, by now. */
  peek() {
    const { effects, element, wanted, secret, verb, own, trusted } = this.running;
    const seen = effects.peek();
    const kinds = [...new Set([...own, ...(CONFIRMED[verb] ? seen.filter((each) => each === "content") : seen)])].sort();
    if (CONFIRMED[verb] && !(own.length && CONFIRMED[verb](element))) kinds.length = 0;
    const result = { effect: kinds, trusted };
    if (verb === "set_value") {
      result.value_taken = holds(element, wanted);
      if (!secret && !isSecret(element)) result.value = this.readable(element);
    }
    if (verb === "scroll_into_view") result.bounds = box(dom.boundingRect(element));
    return result;
  }

  /** @param {Element} element */
  readable(element) {
    const type = dom.inputType(element);
    if (type === "checkbox" || type === "radio") return String(dom.isChecked(element));
    const repeats = new Repeats();
    collect(repeats);
    return repeats.clean(value(element, role(element)) ?? "").slice(0, TEXT);
  }

  observe(request) {
    if (!this.running) return { reason: "no_result" };
    const result = this.peek();
    if (request.last) {
      this.running.effects.end();
      this.running = null;
    }
    return result;
  }

  /** Where an element is to be seen, brought into view first. */
  locate(request) {
    const found = this.resolve(request);
    if (found.reason) return found;
    scrollIntoView(found.element);
    freshen();
    const seen = visiblePart(found.element);
    return seen.part ? { part: seen.part, view: view() } : { reason: "not_actionable", state: seen.state };
  }

  /** The child frame that has sent the word: where the part lies in this frame. */
  child(request) {
    const frame = this.children.frame(request.word);
    if (!frame) return { reason: "frame_not_accessible" };
    const seen = mapped(frame, request.part, true);
    return seen.part ? { part: seen.part, offset: seen.offset, view: view() } : { reason: "not_actionable", state: seen.state };
  }
}

/** Verb -> what is done; `own` are effects that are seen at once, and `effects` is armed. */
const PERFORM = {
  activate: (element, effects) => activate(element, effects),
  focus: (element, effects) => {
    effects.arm();
    const own = focus(element);
    return { own: own === null ? [] : [own] };
  },
  scroll_into_view: (element, effects) => {
    effects.arm();
    const own = scrollIntoView(element);
    return { own: own === null ? [] : [own] };
  },
  set_value: (element, effects, wanted) => {
    effects.arm();
    const done = setValue(element, wanted);
    return { ...done, own: done.already ? ["already"] : [] };
  },
};

/** Verb whose one effect has to last -> whether it does. */
const CONFIRMED = { focus: (element) => focused() === element, scroll_into_view: inViewport };

/** Operation of the worker -> what answers it. */
const OPERATIONS = {
  hello: () => ({}),
  snapshot: (agent, request) => agent.snapshot(request),
  marks: (agent, request) => ({ marks: marks(request.key) }),
  titled: (agent, request) => titled(TEXT, request.marks),
  act: (agent, request) => agent.act(request),
  observe: (agent, request) => agent.observe(request),
  locate: (agent, request) => agent.locate(request),
  expect: (agent, request) => {
    agent.children.expect(request.word);
    return {};
  },
  announce: (agent, request) => {
    window.parent.postMessage(request.word, "*");
    return {};
  },
  child: (agent, request) => agent.child(request),
};
