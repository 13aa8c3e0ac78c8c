/** Tabs and frames as they are now: found by number, judged by their state, and never by what was known before. */
import { Failure } from "./failure.js";
import { inherits } from "./sites.js";

const SAYS_GONE = "the document is not shown any more";

/**
 * @typedef {object} Place One document of one frame.
 * @property {number} tabId @property {number} frameId @property {string} documentId @property {string} url
 * @property {string} governing  the address whose permission counts
 * @property {number|null} parent @property {number[]} ancestry  from the top frame to this one
 */

/** @param {number} tabId @param {import("./failure.js").Deadline} deadline @returns {Promise<chrome.tabs.Tab>} */
export async function openTab(tabId, deadline) {
  let tab;
  try {
    tab = await deadline.limit(chrome.tabs.get(tabId), "tabs.get");
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("tab_not_found", `no tab ${tabId}`);
  }
  if (tab.incognito && !(await deadline.limit(chrome.extension.isAllowedIncognitoAccess(), "isAllowedIncognitoAccess"))) {
    throw new Failure("tab_not_found", `no tab ${tabId}`);
  }
  if (tab.discarded) throw new Failure("frame_not_accessible", "the browser has discarded the tab; show it to load it again", { state: "discarded" });
  if (tab.status === "unloaded") throw new Failure("frame_not_accessible", "the tab has crashed or is not loaded", { state: "unloaded" });
  return tab;
}

/** The top document of a tab. @param {number} tabId @param {import("./failure.js").Deadline} deadline @returns {Promise<Place>} */
export async function topOf(tabId, deadline) {
  const frame = await deadline.limit(chrome.webNavigation.getFrame({ tabId, frameId: 0 }), "webNavigation.getFrame");
  if (!frame) throw new Failure("restricted_page", "the browser says nothing of the document of this tab");
  if (frame.errorOccurred) throw new Failure("restricted_page", "the tab shows an error page of the browser");
  return { tabId, frameId: 0, documentId: frame.documentId, url: frame.url, governing: frame.url, parent: null, ancestry: [0] };
}

/** All frames of a tab, each after its parent, in the order of their numbers. @param {number} tabId @param {import("./failure.js").Deadline} deadline */
export async function framesOf(tabId, deadline) {
  const all = (await deadline.limit(chrome.webNavigation.getAllFrames({ tabId }), "webNavigation.getAllFrames")) ?? [];
  const active = all.filter((frame) => frame.documentLifecycle === "active" && frame.frameType !== "fenced_frame");
  const known = new Map(active.map((frame) => [frame.frameId, frame]));
  /** @type {(Place & {broken: boolean})[]} */
  const found = [];
  const visit = (frame, above) => {
    const governing = above && inherits(frame.url) ? above.governing : frame.url;
    const place = {
      tabId, frameId: frame.frameId, documentId: frame.documentId, url: frame.url, governing, broken: frame.errorOccurred === true,
      parent: above ? above.frameId : null, ancestry: [...(above?.ancestry ?? []), frame.frameId],
    };
    found.push(place);
    for (const child of children(frame.frameId)) visit(child, place);
  };
  const children = (id) => active.filter((each) => each.parentFrameId === id && each.frameId !== id).sort((a, b) => a.frameId - b.frameId);
  if (known.has(0)) visit(known.get(0), null);
  return found;
}

/** The frame that a reference names, if its document is the active one. @param {any} ref @param {import("./failure.js").Deadline} deadline */
export async function placeOf(ref, deadline) {
  const frame = await deadline.limit(chrome.webNavigation.getFrame({ documentId: ref.document_id }), "webNavigation.getFrame");
  if (!frame || frame.documentLifecycle !== "active") throw new Failure("stale_snapshot", SAYS_GONE);
  const place = (await framesOf(ref.tab_id, deadline)).find((each) => each.documentId === ref.document_id);
  if (!place || place.frameId !== ref.frame_id) throw new Failure("stale_snapshot", "the frame has another document now");
  return place;
}
