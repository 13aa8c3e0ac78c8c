/**
 * The tabs that can be worked with: listed, chosen, and brought to the front. Of others only numbers and states are said.
 * A page's title and address come from its content program, which takes out of them what must not leave the page.
 */
import { Failure, share } from "./failure.js";
import { framesOf, openTab, topOf } from "./frames.js";
import { marksOf } from "./secrets.js";
import { parsed } from "./sites.js";

const MOST = 1024;
/** How long a page may take to say its title, in ms. */
const TITLED_MS = 1_000;

/** Reason -> state that the user sees. */
export const STATE_OF = { site_permission_required: "site_denied" };

export class Targets {
  /** @param {import("./sites.js").Sites} sites @param {import("./injection.js").Injection} injection @param {any} identity */
  constructor(sites, injection, identity) {
    this.sites = sites;
    this.injection = injection;
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
      const shown = found.top ? await this.shown(found.top, deadline) : {};
      targets.push({
        window_id: tab.windowId, tab_id: tab.id, active: tab.active, focused: front.has(tab.windowId), state: found.state, reason: found.reason, ...shown,
      });
    }
    return { targets };
  }

  /** What may be said of an enabled tab: of a page that does not answer only why. @param {import("./frames.js").Place} top @param {import("./failure.js").Deadline} deadline */
  async shown(top, deadline) {
    const about = { frame_id: 0, document_id: top.documentId };
    try {
      return { ...about, ...(await this.titled(top, deadline)) };
    } catch (error) {
      if (!(error instanceof Failure) || error.reason === "cancelled") throw error;
      return error.reason in STATE_OF ? { state: STATE_OF[error.reason], reason: error.reason } : { ...about, reason: error.reason };
    }
  }

  /** Title and address of a page, without what must not leave it; none where a frame of it does not answer. @param {import("./frames.js").Place} top @param {import("./failure.js").Deadline} deadline */
  async titled(top, deadline) {
    const part = share(deadline, TITLED_MS);
    const { marks, silent } = await marksOf(await framesOf(top.tabId, part), this.injection, part);
    for (const failure of silent.values()) if (failure.reason === "timed_out") throw failure;
    const { title, url } = await this.injection.ask(top, { operation: "titled", marks }, part, { install: true });
    return { title, url };
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
    const address = parsed(top.url);
    const { url = `${address.protocol}//${address.host}/`, title = "", document_id } = await this.shown(top, deadline);
    await this.sites.check(tabId, top.url, deadline);
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
