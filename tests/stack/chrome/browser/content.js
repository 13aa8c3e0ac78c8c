/** What the cases of the content program (content.py) stand on: agents of this document, and short words for asking them. */
globalThis.cases ??= (() => {
  const live = new Set();
  const { observe, disconnect } = MutationObserver.prototype;
  MutationObserver.prototype.observe = function (...given) { live.add(this); return observe.apply(this, given); };
  MutationObserver.prototype.disconnect = function () { live.delete(this); return disconnect.call(this); };
  const listening = new Map();
  const { addEventListener: add, removeEventListener: remove } = window;
  window.addEventListener = function (name, ...given) { listening.set(name, (listening.get(name) ?? 0) + 1); return add.call(window, name, ...given); };
  window.removeEventListener = function (name, ...given) { listening.set(name, listening.get(name) - 1); return remove.call(window, name, ...given); };
  const BOUNDS = { nodes: 4000, depth: 200, text: 1000, bytes: 900000 };
  const start = () => {
    const agent = trailcamParts.agent();
    const ask = (request) => agent.run({ expires: Date.now() + 60000, ...request });
    let generation = 0;
    const look = (bounds = {}, more = {}) => {
      const said = ask({ operation: "snapshot", place: { frame_id: 0, ancestry: [0] }, bounds: { ...BOUNDS, ...bounds }, ...more });
      generation = said.generation;
      return said;
    };
    const snap = (bounds, more) => look(bounds, more).taken;
    /** Role and name of every node. */
    const nodes = (bounds) => snap(bounds).nodes.map((each) => `${each.role} ${each.name}`);
    /** The only node but texts and labels. */
    const one = () => snap().nodes.filter((each) => each.role !== "text" && each.role !== "label")[0];
    const id = (name) => snap().nodes.filter((each) => each.name === name && each.role !== "text" && each.role !== "label")[0].id;
    const plain = ({ v, nonce, generation: now, ...rest }) => rest;
    const act = (verb, node, value, more = {}) => plain(ask({ operation: "act", verb, node, value, generation, ...more }));
    const locate = (node) => { const { view, ...rest } = plain(ask({ operation: "locate", node, generation })); return rest; };
    const observe = (last = false) => plain(ask({ operation: "observe", last }));
    return { agent, ask, look, snap, nodes, one, id, act, locate, observe, plain };
  };
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const later = (ms = 0) => new Promise((done) => real.setTimeout.call(window, done, ms));
  const by = (id) => document.getElementById(id);
  /** What another frame says of its secret, by a computation of its own. */
  const marked = (secret, key) => {
    const row = (text) => [text.length, Number(BigInt.asIntN(32, [...text].reduce((sum, each) => sum * BigInt(key) + BigInt(each.charCodeAt(0)), 0n)))];
    return { marks: { key, rows: [row(secret)] }, both: (other) => ({ key, rows: [row(secret), row(other)] }) };
  };
  const made = (tag, space) => (space ? document.createElementNS(space, tag) : document.createElement(tag));
  /** The worker's parts, in a browser that answers in this way. */
  const worker = (browser) => {
    globalThis.chrome = { ...globalThis.chrome, ...browser };
    return trailcamWorker;
  };
  /** Why something was not done; null where it was. */
  const why = async (doing) => {
    try {
      await doing();
      return null;
    } catch (error) {
      return error.reason ?? `${error.name}: ${error.message}`;
    }
  };
  const never = () => new Promise(() => {});
  const restored = () => Object.assign(globalThis, real);
  /** Time that runs when it is told to, until the case is over: clocks are kept, and `left` says how many there are. */
  const timed = () => {
    const clocks = new Map();
    let last = 0;
    globalThis.setTimeout = (doing, ms) => { last += 1; clocks.set(last, { doing, ms }); return last; };
    globalThis.clearTimeout = (id) => clocks.delete(id);
    const run = (ms) => { for (const [id, each] of [...clocks]) if (each.ms === ms && clocks.delete(id)) each.doing(); };
    return { left: () => clocks.size, run };
  };
  /** Something that can be listened to. */
  const heard = () => {
    const all = [];
    return { addListener: (each) => all.push(each), tell: (...said) => all.map((each) => each(...said)) };
  };
  /** A browser with one tab, one page and hosts that say nothing by themselves. */
  const played = () => {
    const ports = [], alarms = new Map();
    const connectNative = () => {
      const port = { posted: [], over: false, onMessage: heard(), onDisconnect: heard() };
      ports.push(Object.assign(port, { postMessage: (message) => port.posted.push(message), disconnect: () => { port.over = true; } }));
      return port;
    };
    const tab = { id: 1, windowId: 5, active: true }, document = { frameId: 0, parentFrameId: -1, documentId: "A".repeat(32) };
    const frame = { ...document, documentLifecycle: "active", url: "http://a.test/" };
    const taken = { viewport: { w: 1, h: 1 }, scroll: { x: 0, y: 0 }, nodes: [], over: [], closed: false, url: "http://a.test/", title: "" };
    const part = { x: 0, y: 0, w: 1, h: 1 }, size = { w: 1, h: 1 }, at = { x: 0, y: 0 };
    const view = { scroll: at, device_pixel_ratio: 1, viewport: size, screen: at, outer: size };
    const result = { v: 1, nonce: "0".repeat(32), generation: 1, taken, part, view };
    const events = (...names) => Object.fromEntries(names.map((name) => [name, heard()]));
    const nothing = async () => {};
    const chrome = {
      runtime: {
        id: "a".repeat(32), getManifest: () => ({ version: "1.0" }), getURL: (path) => `chrome-extension://me/${path}`, connectNative,
        ...events("onInstalled", "onStartup", "onMessage"),
      },
      alarms: { create: async (name) => void alarms.set(name, 1), get: async (name) => alarms.get(name), clear: async (name) => alarms.delete(name), ...events("onAlarm") },
      action: { setBadgeText: nothing, setBadgeBackgroundColor: nothing, setTitle: nothing },
      tabs: { get: async () => tab, query: async () => [tab], getZoom: async () => 1, ...events("onActivated", "onRemoved") },
      webNavigation: {
        getFrame: async () => frame, getAllFrames: async () => [frame],
        ...events("onBeforeNavigate", "onCommitted", "onErrorOccurred", "onHistoryStateUpdated", "onReferenceFragmentUpdated", "onCreatedNavigationTarget"),
      },
      permissions: { contains: async () => true, getAll: async () => ({}), ...events("onAdded", "onRemoved") },
      scripting: { executeScript: async () => [{ ...document, result }] },
    };
    return { chrome, ports, alarms };
  };
  return { start, later, by, made, marked, live, listening, worker, why, never, timed, restored, played };
})();
