/**
 * The one way into a page. The browser's own check of the document is not enough: a document in the back/forward cache
 * is taken for the one that replaced it. So the frame is looked up before, the nonce is compared inside, and an answer
 * from another document is thrown away.
 */
import { Failure } from "./failure.js";
import { openTab } from "./frames.js";
import { parsed } from "./sites.js";

/** Text of the browser's error -> what it means. The first that fits counts. */
const MEANING = [
  [/^No tab with id/, "tab_not_found"],
  [/^No document with id|^Invalid document id|was removed\.|^No frame with id/i, "stale_snapshot"],
  [/showing error page/, "restricted_page"],
  [/^Cannot access contents of url/, "site_permission_required"],
  [/^Cannot access contents of the page/, "frame_not_accessible"],
  [/^Cannot access a |gallery cannot be scripted|^The extensions gallery/, "restricted_page"],
];

/** @param {unknown} error @returns {Failure} */
export function meant(error) {
  if (error instanceof Failure) return error;
  const text = error instanceof Error ? error.message : String(error);
  const row = MEANING.find(([fits]) => fits.test(text));
  return new Failure(row ? row[1] : "no_result", row ? "the browser refuses this page, frame or document" : "the browser gave no answer that is known");
}

/** Runs in the page. */
function call(request) {
  return globalThis.trailcamAgent ? globalThis.trailcamAgent.run(request) : { v: 1, absent: true };
}

export class Injection {
  /** @param {import("./sites.js").Sites} sites */
  constructor(sites) {
    this.sites = sites;
  }

  /**
   * Ask the content program of one document.
   * @param {import("./frames.js").Place} place @param {any} request @param {import("./failure.js").Deadline} deadline
   * @param {{install?: boolean, acts?: boolean}} [how]  install: put the program there first where it is not
   */
  async ask(place, request, deadline, { install = false, acts = false } = {}) {
    await this.before(place, deadline);
    const whole = { ...request, expires: deadline.at, origin: originOf(place.url) };
    let envelope = await this.run(place, { func: call, args: [whole] }, deadline, acts);
    if (envelope.absent && install) {
      await this.run(place, { files: ["content.js"] }, deadline, false, true);
      await this.before(place, deadline);
      envelope = await this.run(place, { func: call, args: [whole] }, deadline, acts);
    }
    if (acts) deadline.dispatched = envelope.dispatched === true;
    await this.sites.check(place.tabId, place.governing, deadline);
    if (envelope.absent) throw new Failure("stale_snapshot", "the content program of that snapshot is gone");
    if (envelope.reason) throw new Failure(envelope.reason, INSIDE[envelope.reason] ?? "refused in the page", envelope.state ? { state: envelope.state } : undefined);
    return envelope;
  }

  /** @param {import("./frames.js").Place} place @param {import("./failure.js").Deadline} deadline */
  async before(place, deadline) {
    await this.sites.check(place.tabId, place.governing, deadline);
    const frame = await deadline.limit(chrome.webNavigation.getFrame({ documentId: place.documentId }), "webNavigation.getFrame");
    if (!frame || frame.documentLifecycle !== "active") throw new Failure("stale_snapshot", "the document is not shown any more");
  }

  /** The browser has one text for many causes; throws the one that can be told. @param {import("./frames.js").Place} place @param {import("./failure.js").Deadline} deadline */
  async why(place, deadline) {
    await openTab(place.tabId, deadline);
    await this.sites.check(place.tabId, place.governing, deadline);
  }

  /** @param {import("./frames.js").Place} place @param {any} what @param {import("./failure.js").Deadline} deadline */
  async run(place, what, deadline, acts, silent = false) {
    let results;
    try {
      const target = { tabId: place.tabId, documentIds: [place.documentId] };
      if (acts) deadline.dispatched = true;
      results = await deadline.limit(chrome.scripting.executeScript({ target, injectImmediately: true, ...what }), "executeScript");
    } catch (error) {
      const failure = meant(error);
      if (failure.reason !== "timed_out" && failure.reason !== "cancelled") deadline.dispatched = false;
      if (failure.reason === "frame_not_accessible") await this.why(place, deadline);
      throw failure;
    }
    const [result] = results;
    if (results.length !== 1 || result.documentId !== place.documentId || result.frameId !== place.frameId) {
      deadline.dispatched = false;  // the other document's program has another nonce, and did nothing
      throw new Failure("stale_snapshot", "another document answered; its answer was thrown away");
    }
    if (silent) return {};
    if (typeof result.result !== "object" || result.result === null || result.result.v !== 1) {
      throw new Failure("no_result", "the page gave no answer", deadline.detail());
    }
    return result.result;
  }
}

/** @param {string} url */
function originOf(url) {
  const address = parsed(url);
  return address && (address.protocol === "http:" || address.protocol === "https:") ? address.origin : null;
}

const INSIDE = {
  stale_snapshot: "the node is not what the snapshot showed any more",
  not_actionable: "the node can't be used in this way now",
  restricted_page: "this kind of document is not read",
  ambiguous_target: "more than one option has this name",
  timed_out: "the page was reached too late, and nothing was done",
  no_result: "nothing is under way in the page",
  frame_not_accessible: "the place of the frame can't be found out",
};
