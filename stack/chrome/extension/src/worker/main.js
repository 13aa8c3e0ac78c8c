/** The service worker: puts the parts together and listens. Every listener is added at once, so that its event can wake the worker. */
import { Actions } from "./actions.js";
import { Deadline } from "./failure.js";
import { show, stateOf } from "./indicator.js";
import { Injection } from "./injection.js";
import { Navigations } from "./navigations.js";
import { HostPort } from "./port.js";
import { Requests } from "./requests.js";
import { BOUNDS, PROTOCOL, VERBS } from "./schema.js";
import { Sites, pattern } from "./sites.js";
import { Snapshots, token } from "./snapshots.js";
import { Targets } from "./targets.js";
import { answerWindow } from "./window.js";

/** Wakes the worker so that a lost connection is made again; `off` stands for the user's wish to stay disconnected. */
const WAKE = "wake";
const OFF = "off";
const LOOK_MS = 5_000;

const identity = { instance: token(), browser: browser(), version: chrome.runtime.getManifest().version };
const sites = new Sites();
const injection = new Injection(sites);
const navigations = new Navigations();
const snapshots = new Snapshots(injection, sites, identity);
const actions = new Actions(injection, snapshots, navigations, identity);
const targets = new Targets(sites, injection, identity);
const acting = (verb) => (params, deadline) => actions.perform(verb, params, deadline);
const requests = new Requests({
  activate: acting("activate"), focus: acting("focus"), set_value: acting("set_value"), scroll_into_view: acting("scroll_into_view"),
  cancel: async (params) => requests.cancel(params),
  list_targets: (_, deadline) => targets.list(deadline),
  locate: (params, deadline) => actions.locate(params, deadline),
  select_target: (params, deadline) => targets.select(params, deadline),
  snapshot: (params, deadline) => snapshots.take(params, deadline),
  status,
});
const host = new HostPort(hello, { request: (message) => requests.answer(message), changed: refresh, lost: () => requests.end() });

/** The browser's name and version by its own word. */
function browser() {
  const brands = (navigator.userAgentData?.brands ?? []).map((each) => each.brand);
  const known = [["Brave", "brave"], ["Microsoft Edge", "edge"], ["Vivaldi", "vivaldi"], ["Google Chrome", "chrome"], ["Chromium", "chromium"]];
  const name = known.find(([brand]) => brands.includes(brand))?.[1] ?? "other";
  return { name, version: /Chrome\/([0-9.]+)/.exec(navigator.userAgent)?.[1] ?? "0" };
}

function hello() {
  return {
    v: 1, type: "hello", role: "extension", protocol: { min: PROTOCOL, max: PROTOCOL }, version: identity.version, id: chrome.runtime.id,
    instance: identity.instance, browser: identity.browser, capabilities: Object.keys(VERBS).sort(), bounds: BOUNDS,
  };
}

async function status(_, deadline) {
  const [tab] = await deadline.limit(chrome.tabs.query({ active: true, lastFocusedWindow: true }), "tabs.query");
  const page = tab ? await targets.state(tab.id, deadline) : { state: "unsupported" };
  return { state: page.state, tab_id: tab?.id ?? null, version: identity.version, instance: identity.instance };
}

/** Show every window's own tab its state. */
async function refresh() {
  for (const tab of await chrome.tabs.query({ active: true })) await refreshTab(tab.id);
}

/** @param {number} tabId */
async function refreshTab(tabId) {
  const page = await targets.state(tabId, new Deadline(LOOK_MS));
  await show(tabId, stateOf(host.open, page));
}

/** @param {string} event @param {any} [data] */
function tell(event, data = {}) {
  host.send({ v: 1, type: "event", event, data });
}

async function connect() {
  if (!(await chrome.alarms.get(OFF))) host.connect();
}

async function start() {
  await chrome.alarms.create(WAKE, { periodInMinutes: 0.5 });
  await connect();
}

/** The user's one step: no connection, and nothing allowed any more. @param {boolean} revoke */
async function leave(revoke) {
  host.disconnect();
  await chrome.alarms.create(OFF, { when: Date.now() + 10 * 365 * 24 * 3600 * 1000 });
  if (revoke) await sites.revokeAll();
  snapshots.forget();
  await refresh();
}

async function rejoin() {
  await chrome.alarms.clear(OFF);
  await start();
}

const place = (details) => ({ tab_id: details.tabId, frame_id: details.frameId, document_id: details.documentId });
const announced = (details) => details.documentId !== undefined && details.tabId >= 0;

navigations.listen();
chrome.runtime.onInstalled.addListener(start);
chrome.runtime.onStartup.addListener(async () => {
  await chrome.alarms.clear(OFF);
  await start();
});
chrome.alarms.onAlarm.addListener((alarm) => alarm.name === WAKE && connect());
chrome.webNavigation.onCommitted.addListener((details) => {
  if (details.frameId === 0 && sites.lent.has(details.tabId) && new URL(details.url).origin !== sites.lent.get(details.tabId)) sites.lent.delete(details.tabId);
  if (announced(details)) tell("tab_navigated", place(details));
  if (details.frameId === 0) refreshTab(details.tabId);
});
for (const event of [chrome.webNavigation.onHistoryStateUpdated, chrome.webNavigation.onReferenceFragmentUpdated]) {
  event.addListener((details) => announced(details) && tell("same_document", place(details)));
}
chrome.tabs.onActivated.addListener(({ tabId }) => refreshTab(tabId));
chrome.tabs.onRemoved.addListener((tabId) => {
  sites.lent.delete(tabId);
  tell("tab_closed", { tab_id: tabId });
});
chrome.permissions.onRemoved.addListener(() => {
  snapshots.forget();
  tell("permission_revoked");
  refresh();
});
chrome.permissions.onAdded.addListener(() => {
  tell("permission_granted");
  refresh();
});
chrome.runtime.onMessage.addListener((message, sender, reply) => answerWindow(message, sender, reply, {
  async state(tabId) {
    const page = await targets.state(tabId, new Deadline(LOOK_MS));
    const frame = await chrome.webNavigation.getFrame({ tabId, frameId: 0 });
    const allowable = page.state === "site_denied" || page.state === "enabled";
    return { state: stateOf(host.open, page), site: allowable ? pattern(frame.url) : null, allowed: page.state === "enabled", reason: host.open ? page.reason : host.reason };
  },
  async lend(tabId) {
    const frame = await chrome.webNavigation.getFrame({ tabId, frameId: 0 });
    if (frame) sites.lend(tabId, frame.url);
    await refreshTab(tabId);
  },
  async revoke(tabId) {
    const frame = await chrome.webNavigation.getFrame({ tabId, frameId: 0 });
    if (frame) await sites.revoke(tabId, frame.url);
    await refreshTab(tabId);
  },
  connect: rejoin, disconnect: () => leave(false), leave: () => leave(true),
}));
connect();
