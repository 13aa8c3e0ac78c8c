/** The tabs that can be worked with: listed, chosen, and brought to the front. Of others only numbers and states are said. */
import { Failure } from "./failure.js";
import { openTab, topOf } from "./frames.js";
import { bare } from "./sites.js";

const MOST = 1024;

/** Reason -> state that the user sees. */
export const STATE_OF = { site_permission_required: "site_denied" };

export class Targets {
  /** @param {import("./sites.js").Sites} sites @param {any} identity */
  constructor(sites, identity) {
    this.sites = sites;
    this.identity = identity;
  }

  /** State of a tab, the reason for it, and its document where the tab is enabled. @param {number} tabId @param {import("./failure.js").Deadline} deadline */
  async state(tabId, deadline) {
    try {
      const tab = await openTab(tabId, deadline);
      const top = await topOf(tabId, deadline);
      await this.sites.check(tabId, top.url, deadline);
      return { state: "enabled", reason: null, tab, top };
    } catch (error) {
      if (!(error instanceof Failure) || error.reason === "cancelled") throw error;
      return { state: STATE_OF[error.reason] ?? "unsupported", reason: error.reason };
    }
  }

  /** @param {import("./failure.js").Deadline} deadline */
  async list(deadline) {
    const tabs = await deadline.limit(chrome.tabs.query({}), "tabs.query");
    const windows = await deadline.limit(chrome.windows.getAll(), "windows.getAll");
    const front = new Set(windows.filter((each) => each.focused).map((each) => each.id));
    const targets = [];
    for (const tab of tabs.slice(0, MOST)) {
      const found = await this.state(tab.id, deadline);
      if (found.reason === "tab_not_found") continue;
      const listed = { window_id: tab.windowId, tab_id: tab.id, active: tab.active, focused: front.has(tab.windowId), state: found.state, reason: found.reason };
      targets.push(found.top ? { ...listed, ...this.shown(found) } : listed);
    }
    return { targets };
  }

  /** @param {any} found */
  shown(found) {
    return { url: bare(found.top.url), title: (found.tab.title ?? "").slice(0, 1000), frame_id: 0, document_id: found.top.documentId };
  }

  /** @param {any} params @param {import("./failure.js").Deadline} deadline */
  async select(params, deadline) {
    const tabId = params.tab_id ?? (await this.only(params, deadline));
    let tab = await openTab(tabId, deadline);
    const top = await topOf(tabId, deadline);
    await this.sites.check(tabId, top.url, deadline);
    if (params.window_id !== undefined && params.window_id !== tab.windowId) throw new Failure("tab_not_found", "the tab is in another window");
    if (params.front) {
      await deadline.limit(chrome.tabs.update(tabId, { active: true }), "tabs.update");
      await deadline.limit(chrome.windows.update(tab.windowId, { focused: true }), "windows.update");
      tab = await openTab(tabId, deadline);
    }
    await this.sites.check(tabId, top.url, deadline);
    const { url, title, document_id } = this.shown({ tab, top });
    return { target: { instance: this.identity.instance, browser: this.identity.browser.name, window_id: tab.windowId, tab_id: tabId, frame_id: 0, document_id, url, title } };
  }

  /** The one enabled tab that fits; never a guess. @param {any} params @param {import("./failure.js").Deadline} deadline */
  async only(params, deadline) {
    const { targets } = await this.list(deadline);
    const fits = targets.filter((each) => each.state === "enabled"
      && (params.window_id === undefined || each.window_id === params.window_id)
      && (params.title === undefined || each.title === params.title));
    if (fits.length === 0) throw new Failure("tab_not_found", "no tab that the user has allowed fits");
    if (fits.length > 1) {
      const candidates = fits.slice(0, 256).map(({ window_id, tab_id }) => ({ window_id, tab_id }));
      throw new Failure("ambiguous_target", "more than one tab fits", { candidates });
    }
    return fits[0].tab_id;
  }
}
