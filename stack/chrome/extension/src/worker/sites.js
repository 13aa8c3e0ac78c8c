/**
 * Which pages may be read at all, and which the user has allowed. Every injection and every reply asks here, because a
 * revoked permission does not stop a script that is already in a page.
 */
import { Failure } from "./failure.js";

/** Scheme -> what it is. Schemes that are not here are not supported. */
const SCHEMES = {
  "http:": "site", "https:": "site", "file:": "file", "chrome:": "restricted", "chrome-extension:": "restricted", "chrome-untrusted:": "restricted",
  "chrome-search:": "restricted", "devtools:": "restricted", "edge:": "restricted", "brave:": "restricted", "vivaldi:": "restricted",
  "view-source:": "restricted", "about:": "restricted", "chrome-error:": "restricted",
};
const STORES = new Set(["chromewebstore.google.com", "chrome.google.com", "microsoftedge.microsoft.com", "addons.opera.com"]);
/** Documents without an address of their own belong to the page around them. */
const INHERITING = ["about:", "blob:", "data:", "javascript:"];

/** @param {string} url @returns {URL|null} */
export function parsed(url) {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

/** Whether a subframe takes its permission from its parent. @param {string} url */
export function inherits(url) {
  return url === "" || INHERITING.some((scheme) => url.startsWith(scheme));
}

/** Why a page can't be read whatever the user allows; null where it can. @param {string} url @param {boolean} files */
export function refusal(url, files) {
  const address = parsed(url);
  const kind = address ? SCHEMES[address.protocol] : undefined;
  if (kind === undefined || (kind === "file" && !files)) return "unsupported_scheme";
  if (kind === "restricted" || STORES.has(address.hostname)) return "restricted_page";
  return null;
}

/** The match pattern that allows a page. @param {string} url */
export function pattern(url) {
  const address = parsed(url);
  return address.protocol === "file:" ? "file:///*" : `${address.protocol}//${address.hostname}/*`;
}

export class Sites {
  constructor() {
    /** Tabs that the user lent by opening the extension's window: tab -> origin. @type {Map<number, string>} */
    this.lent = new Map();
  }

  /** @param {number} tabId @param {string} url */
  lend(tabId, url) {
    const address = parsed(url);
    if (address && SCHEMES[address.protocol] === "site") this.lent.set(tabId, address.origin);
  }

  /** Why a page may not be read now; null where it may. @param {number} tabId @param {string} url @param {import("./failure.js").Deadline} deadline */
  async refusal(tabId, url, deadline) {
    const files = url.startsWith("file:") ? await deadline.limit(chrome.extension.isAllowedFileSchemeAccess(), "isAllowedFileSchemeAccess") : false;
    const why = refusal(url, files);
    if (why) return why;
    if (this.lent.get(tabId) === parsed(url).origin) return null;
    const allowed = await deadline.limit(chrome.permissions.contains({ origins: [pattern(url)] }), "permissions.contains");
    return allowed ? null : "site_permission_required";
  }

  /** @param {number} tabId @param {string} url @param {import("./failure.js").Deadline} deadline */
  async check(tabId, url, deadline) {
    const why = await this.refusal(tabId, url, deadline);
    if (why) throw new Failure(why, SAYS[why]);
  }

  /** Take back what allows one page: its own pattern, and broader ones where it has none. @param {number} tabId @param {string} url */
  async revoke(tabId, url) {
    this.lent.delete(tabId);
    const origins = [pattern(url)];
    const own = (await chrome.permissions.getAll()).origins ?? [];
    if (own.includes(origins[0])) await chrome.permissions.remove({ origins });
    if (await chrome.permissions.contains({ origins })) await chrome.permissions.remove({ origins: own.filter((each) => each.includes("://*")) });
  }

  /** Take back everything that the user has allowed. */
  async revokeAll() {
    this.lent.clear();
    const { origins = [] } = await chrome.permissions.getAll();
    if (origins.length) await chrome.permissions.remove({ origins });
  }
}

export const SAYS = {
  restricted_page: "the browser does not let extensions see this page",
  unsupported_scheme: "pages of this scheme are not read, or not without the browser's own switch",
  site_permission_required: "the user has not allowed this site; the extension's window can",
};
