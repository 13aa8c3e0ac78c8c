/**
 * One snapshot of a tab: every frame that may be read, in order, within bounds that hold for all of them together. What
 * could not be read makes it partial and is named; a missing permission is never an empty page.
 */
import { Failure, share } from "./failure.js";
import { framesOf, openTab, topOf } from "./frames.js";
import { BOUNDS } from "./schema.js";
import { marksOf } from "./secrets.js";

/** Of the oldest of more documents nothing is known any more: their references are stale. */
const MOST_DOCUMENTS = 4096;

export class Snapshots {
  /** @param {import("./injection.js").Injection} injection @param {import("./sites.js").Sites} sites @param {any} identity */
  constructor(injection, sites, identity) {
    this.injection = injection;
    this.sites = sites;
    this.identity = identity;
    /** Documents of which a snapshot was given: document -> nonce. @type {Map<string, string>} */
    this.nonces = new Map();
  }

  /** No reference that was given so far is good any more. */
  forget() {
    this.nonces.clear();
  }

  /** With `keeps` what was shown before stays good, and nothing in this one can be acted on. @param {any} params @param {import("./failure.js").Deadline} deadline */
  async take(params, deadline) {
    const tab = await openTab(params.tab_id, deadline);
    const top = await topOf(tab.id, deadline);
    await this.sites.check(tab.id, top.url, deadline);
    if (params.document_id !== undefined && params.document_id !== top.documentId) throw new Failure("stale_snapshot", "the tab has another document now");
    const places = await framesOf(tab.id, deadline);
    const result = {
      provider: "chrome_extension", snapshot_id: token(), target: null, coverage: "complete", reasons: [], frames: [], nodes: [],
    };
    const held = await marksOf(places, this.injection, deadline);
    const left = { nodes: BOUNDS.nodes, bytes: BOUNDS.bytes, depth: BOUNDS.depth, text: BOUNDS.text };
    const read = [];
    for (const [index, place] of places.entries()) {
      if (index >= BOUNDS.frames) {
        this.over(result, "frames");
        break;
      }
      const taken = await this.frame(place, left, result, deadline, { last: index === places.length - 1, keeps: params.keeps === true, ...held });
      if (taken) read.push(place);
      if (place.frameId === 0) result.target = this.target(tab, place, taken);
    }
    if (!result.target) throw new Failure("stale_snapshot", "the tab has another document now");
    for (const place of read) await this.sites.check(place.tabId, place.governing, deadline);
    return result;
  }

  /** Read one frame into the result; what the content program gave, or null where it gave nothing. Raises where the page
   * itself, in whose place nothing stands, could not be read. */
  async frame(place, left, result, deadline, { last, keeps, marks, silent }) {
    const about = { frame_id: place.frameId, parent_frame_id: place.parent, ancestry: place.ancestry };
    const frame = { ...about, read: false };
    result.frames.push(frame);
    let envelope;
    try {
      if (place.broken) throw new Failure("frame_not_accessible", "the frame shows an error page of the browser");
      if (silent.has(place.documentId)) throw silent.get(place.documentId);
      const request = { operation: "snapshot", place: about, bounds: left, keeps, marks };
      const own = place.frameId === 0 ? deadline : share(deadline);
      envelope = await this.injection.ask(place, request, own, { install: true });
    } catch (error) {
      if (!(error instanceof Failure) || error.reason === "cancelled") throw error;
      frame.reason = error.reason;
      if (place.frameId === 0) throw error;
      this.partial(result, { reason: error.reason, frame_id: place.frameId });
      return null;
    }
    const { taken } = envelope;
    frame.read = true;
    if (!keeps) frame.ref = this.reference(place, envelope);
    frame.viewport = taken.viewport;
    frame.scroll = taken.scroll;
    for (const node of taken.nodes) result.nodes.push(node);
    left.nodes -= taken.nodes.length;
    if (!last) left.bytes -= size(taken.nodes) - (place.frameId === 0 ? 0 : 1);
    for (const bound of taken.over) this.over(result, bound, place.frameId);
    if (taken.closed) this.partial(result, { reason: "closed_shadow_root", frame_id: place.frameId });
    return taken;
  }

  /** What a later request names a frame's document by. @param {import("./frames.js").Place} place @param {any} envelope */
  reference(place, envelope) {
    this.nonces.delete(place.documentId);
    this.nonces.set(place.documentId, envelope.nonce);
    if (this.nonces.size > MOST_DOCUMENTS) this.nonces.delete(this.nonces.keys().next().value);
    return {
      instance: this.identity.instance, tab_id: place.tabId, frame_id: place.frameId, document_id: place.documentId,
      nonce: envelope.nonce, generation: envelope.generation,
    };
  }

  partial(result, reason) {
    if (result.coverage === "complete") result.coverage = "partial";
    if (result.reasons.length < 256) result.reasons.push(reason);
  }

  over(result, bound, frameId = 0) {
    result.coverage = "truncated";
    if (result.reasons.length < 256) result.reasons.push({ reason: "bound", bound, frame_id: frameId });
  }

  /** @param {chrome.tabs.Tab} tab @param {import("./frames.js").Place} place @param {{url: string, title: string}} shown */
  target(tab, place, shown) {
    return {
      instance: this.identity.instance, browser: this.identity.browser.name, window_id: tab.windowId, tab_id: tab.id, frame_id: 0,
      document_id: place.documentId, url: shown.url, title: shown.title,
    };
  }
}

const encoder = new TextEncoder();

/** Bytes of nodes as JSON. */
function size(nodes) {
  return encoder.encode(JSON.stringify(nodes)).length;
}

/** 32 hexadecimal digits that nobody guesses. */
export function token() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
