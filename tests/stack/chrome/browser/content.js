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
  const later = (ms = 0) => new Promise((done) => setTimeout(done, ms));
  const by = (id) => document.getElementById(id);
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
  return { start, later, by, made, live, listening, worker, why, never };
})();
