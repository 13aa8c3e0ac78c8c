/**
 * Actions on one node of one document: done there or not at all, and a success only where something is seen to have come
 * of it. Nothing here depends on which tab is in front.
 */
import { Failure } from "./failure.js";
import { framesOf, openTab, placeOf } from "./frames.js";
import { token } from "./snapshots.js";

/** When it is looked for effects, ms after the action; after the last an action without any had none. */
const LOOKS_MS = [30, 60, 110, 200, 200];
/** A navigation that has begun is waited for so long; between two looks. */
const STEP_MS = 25;
/** These verbs have one effect that they must have. */
const OWN = { focus: ["focus", "already"], scroll_into_view: ["scroll", "already"], set_value: ["value", "state", "already", "content"] };

export class Actions {
  /** @param {import("./injection.js").Injection} injection @param {import("./snapshots.js").Snapshots} snapshots @param {import("./navigations.js").Navigations} navigations @param {any} identity */
  constructor(injection, snapshots, navigations, identity) {
    this.injection = injection;
    this.snapshots = snapshots;
    this.navigations = navigations;
    this.identity = identity;
  }

  /** The document of a reference. @param {any} ref @param {import("./failure.js").Deadline} deadline */
  async place(ref, deadline) {
    if (ref.instance !== this.identity.instance) throw new Failure("stale_snapshot", "the reference is of another run of the browser's extension");
    await openTab(ref.tab_id, deadline);
    const place = await placeOf(ref, deadline);
    await this.injection.sites.check(place.tabId, place.governing, deadline);
    if (this.snapshots.nonces.get(ref.document_id) !== ref.nonce) throw new Failure("stale_snapshot", "no snapshot of this document is good now");
    return place;
  }

  /** @param {string} verb @param {any} params @param {import("./failure.js").Deadline} deadline */
  async perform(verb, params, deadline) {
    const { ref } = params;
    const place = await this.place(ref, deadline);
    const watch = this.navigations.watch(place.tabId, place.frameId);
    try {
      const about = { nonce: ref.nonce, generation: ref.generation, node: ref.node, verb, value: params.value };
      const first = await this.injection.ask(place, { operation: "act", ...about }, deadline, { acts: true });
      const last = await this.settle(place, watch, first, deadline);
      return await this.answer(verb, place, ref, watch, last, deadline);
    } finally {
      this.navigations.end(watch);
    }
  }

  /** What the action has come to when it is over. */
  async settle(place, watch, first, deadline) {
    let seen = first;
    for (const [index, ms] of LOOKS_MS.entries()) {
      await deadline.pause(ms);
      if (watch.began || watch.opened) break;
      const last = index === LOOKS_MS.length - 1;
      seen = await this.look(place, seen, last, deadline);
      if (seen.effect.length && index > 0) break;
    }
    while (watch.began && !watch.committed && !watch.failed) await deadline.pause(STEP_MS);
    return seen;
  }

  /** @param {import("./frames.js").Place} place */
  async look(place, seen, last, deadline) {
    try {
      return await this.injection.ask(place, { operation: "observe", nonce: seen.nonce, last }, deadline);
    } catch (error) {
      // The document may go away under the action; then the navigation says what came of it.
      if (error instanceof Failure && ["stale_snapshot", "no_result", "site_permission_required", "restricted_page"].includes(error.reason)) return seen;
      throw error;
    }
  }

  async answer(verb, place, ref, watch, seen, deadline) {
    const effect = new Set(seen.effect);
    if (watch.committed) effect.add("navigation");
    if (watch.same) effect.add("same_document_navigation");
    if (watch.opened) effect.add("new_tab");
    const needed = OWN[verb];
    const enough = needed && !watch.committed ? needed.some((each) => effect.has(each)) : effect.size > 0;
    if (!enough) await this.without(verb, ref, seen, deadline);
    const moved = watch.committed !== null;
    const result = {
      route: moved ? "chrome_dom_then_navigation" : "chrome_dom", effect: [...effect].sort(),
      target: { tab_id: place.tabId, frame_id: moved ? watch.committed.frameId : place.frameId, document_id: moved ? watch.committed.documentId : place.documentId },
    };
    for (const field of ["value_taken", "value", "bounds"]) if (seen[field] !== undefined) result[field] = seen[field];
    return result;
  }

  /** Nothing came of it: say where it is, for input that the browser trusts. */
  async without(verb, ref, seen, deadline) {
    const detail = { dispatched: true };
    try {
      if (verb === "activate") detail.rectangle = (await this.locate({ ref }, deadline)).rectangle;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.reason === "stale_snapshot") throw new Failure("no_observed_effect", "the node is gone, and nothing else was seen to change", detail);
    }
    if (verb === "activate" && seen.trusted && detail.rectangle) {
      throw new Failure("needs_trusted_input", "the element answers to the user's own input only", { ...detail, dispatched: false });
    }
    throw new Failure("no_observed_effect", "nothing was seen to change", detail);
  }

  /** Where a node is to be seen, in the viewport of the tab. @param {any} params @param {import("./failure.js").Deadline} deadline */
  async locate(params, deadline) {
    const { ref } = params;
    const place = await this.place(ref, deadline);
    const about = { nonce: ref.nonce, generation: ref.generation, node: ref.node };
    let seen = await this.injection.ask(place, { operation: "locate", ...about }, deadline);
    const offset = { x: 0, y: 0 };
    const places = await framesOf(place.tabId, deadline);
    let inner = place;
    while (inner.parent !== null) {
      const outer = places.find((each) => each.frameId === inner.parent);
      if (!outer) throw new Failure("frame_not_accessible", "the frame around it is gone");
      const word = token();
      await this.injection.ask(outer, { operation: "expect", word }, deadline, { install: true });
      await this.injection.ask(inner, { operation: "announce", word }, deadline);
      const mapped = await this.child(outer, word, seen.part, deadline);
      offset.x += mapped.offset.x;
      offset.y += mapped.offset.y;
      seen = mapped;
      inner = outer;
    }
    const tab = await openTab(place.tabId, deadline);
    const zoom = await deadline.limit(chrome.tabs.getZoom(tab.id), "tabs.getZoom");
    return { rectangle: { space: "main_viewport_css_px", ...seen.part, visible: true, frame_offset: offset, ...seen.view, zoom, window_id: tab.windowId, tab_id: tab.id } };
  }

  /** The child's word may take a moment to arrive. */
  async child(outer, word, part, deadline) {
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.injection.ask(outer, { operation: "child", word, part }, deadline);
      } catch (error) {
        if (!(error instanceof Failure) || error.reason !== "frame_not_accessible" || tries >= 10) throw error;
      }
      await deadline.pause(STEP_MS);
    }
  }
}
