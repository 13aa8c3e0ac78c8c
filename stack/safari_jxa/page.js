// The page's side of a session: the document's epoch, what the guards say now, and every mutation under its nonce.
// A function of one request that always gives one JSON text. State is kept on the document and dies with it.
// In another document than the request's nothing is touched, not even to look.
function (request, names, snapshot) {
  const KEY = Symbol.for("trailcam.safari_jxa");
  const PARTS = {
    element: [["route", "route"], ["viewport", "viewport"], ["fields", "field"], ["target", "target"], ["around", "around"]],
    page: [["route", "route"], ["viewport", "viewport"], ["fields", "field"], ["content", "around"]]
  };
  const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
  const whole = (key, value) => (typeof value === "string" ? value.replace(LONE, "\ufffd") : value);
  const held = () => (Object.prototype.hasOwnProperty.call(document, KEY) ? document[KEY] : null);

  function install(epoch) {
    const state = {
      epoch, next: 1, numbers: new WeakMap(), elements: new Map(), records: new Map(), secret: new WeakSet()
    };
    Object.defineProperty(document, KEY, {value: state});
    return state;
  }

  function described(state) {
    return {status: "ok", epoch: state.epoch, url: location.href, title: document.title, ready: document.readyState};
  }

  function bind() {
    return described(held() || install(request.epoch));
  }

  function observe() {
    const state = held();
    const rebound = !state || state.epoch !== request.epoch;
    if (rebound && request.rebind === null) return {status: "document"};
    return seen(state || install(request.rebind), rebound);
  }

  function seen(state, rebound) {
    return {...described(state), rebound, ...snapshot.take(state)};
  }

  function elementOf(state, action) {
    const found = state.elements.get(action.node);
    const el = found && found.deref();
    return el && el.isConnected && el.ownerDocument === document ? el : null;
  }

  // Which part differs from what was observed, or null.
  function moved(state, el) {
    const now = el ? {route: snapshot.route(), viewport: snapshot.viewport(), ...snapshot.guard(state, el)} :
      snapshot.take(state).page;
    for (const [key, part] of PARTS[el ? "element" : "page"]) {
      if (now[key] !== request.guard[key]) return part;
    }
    return null;
  }

  function belongs(el, hit) {
    for (let node = hit; node; node = names.parentOf(node)) {
      if (node === el) return true;
      if (node.localName === "label" && node.control === el) return true;
    }
    return false;
  }

  // What stops an action on an element that has not moved, or null.
  function blocked(state, el, action) {
    if (snapshot.forbidden(state, el)) return "forbidden";
    if (snapshot.disabled(el) || names.hiddenAnywhere(el)) return "read_only";
    if (action.kind === "fill" && !snapshot.editable(el)) return "read_only";
    if (action.kind === "fill" && !accepts(el)) return "rejected";
    if (action.kind === "select") return optionOf(el, action) ? null : "gone";
    const points = snapshot.inView(el);
    if (!points.length) return "out_of_view";
    const root = el.getRootNode();
    return points.some((point) => belongs(el, root.elementFromPoint(point.x, point.y))) ? null : "covered";
  }

  function optionOf(el, action) {
    const option = el.localName === "select" ? el.options[action.option] : null;
    return option && !option.matches(":disabled") ? option : null;
  }

  function accepts(el) {
    if (!("value" in el) || request.text === null || request.text === undefined) return true;
    if (el.maxLength >= 0 && request.text.length > el.maxLength) return false;
    const probe = el.cloneNode(false);
    probe.value = request.text;
    return probe.value.replace(/\r\n?/g, "\n") === request.text.replace(/\r\n?/g, "\n");
  }

  // Why nothing may be done now: {part} or {reason}; null where it may.
  function objection(state, action) {
    if (action.kind === "scroll") {
      const part = moved(state, null);
      return part && {part};
    }
    const el = elementOf(state, action);
    if (!el) {
      const route = snapshot.route() !== request.guard.route;
      return route ? {part: "route"} : {reason: "gone"};
    }
    const part = moved(state, el);
    if (part) return {part};
    const reason = blocked(state, el, action);
    return reason && {reason};
  }

  function fire(el, Kind, name, more) {
    return el.dispatchEvent(new Kind(name, {bubbles: true, cancelable: true, composed: true, view: window, ...more}));
  }

  function click(el) {
    const point = snapshot.inView(el)[0];
    const at = {clientX: point.x, clientY: point.y, button: 0};
    fire(el, PointerEvent, "pointerdown", {...at, isPrimary: true, buttons: 1});
    fire(el, MouseEvent, "mousedown", {...at, buttons: 1, detail: 1});
    if (el.isConnected && el.focus) el.focus({preventScroll: true});
    fire(el, PointerEvent, "pointerup", {...at, isPrimary: true});
    fire(el, MouseEvent, "mouseup", {...at, detail: 1});
    if (el.isConnected) el.click();
  }

  function write(el, property, value) {
    let owner = Object.getPrototypeOf(el);
    while (owner && !Object.prototype.hasOwnProperty.call(owner, property)) owner = Object.getPrototypeOf(owner);
    Object.getOwnPropertyDescriptor(owner, property).set.call(el, value);
  }

  function told(el, data) {
    el.dispatchEvent(new InputEvent("input", {bubbles: true, composed: true, inputType: "insertText", data}));
    el.dispatchEvent(new Event("change", {bubbles: true}));
  }

  function fill(el) {
    el.focus({preventScroll: true});
    write(el, "value" in el ? "value" : "textContent", request.text);
    told(el, request.text);
  }

  function select(el, action) {
    if (el.multiple) {
      const option = optionOf(el, action);
      write(option, "selected", !option.selected);
    } else {
      write(el, "selectedIndex", action.option);
    }
    told(el, null);
  }

  function perform(state, action) {
    if (action.kind === "scroll") {
      const distance = Math.round(innerHeight * 0.8) * (action.direction === "up" ? -1 : 1);
      scrollBy({top: distance, left: 0, behavior: "instant"});
      return;
    }
    const el = elementOf(state, action);
    if (action.kind === "click") click(el);
    else if (action.kind === "fill") fill(el);
    else select(el, action);
  }

  // All that an action can be seen to have changed at once.
  function look(state, action) {
    const el = action.kind === "scroll" ? null : elementOf(state, action);
    const {page, text} = snapshot.take(state);
    return JSON.stringify([location.href, page, text, el ? snapshot.guard(state, el) : null]);
  }

  // Nothing is forgotten while the document lives: a record that is gone would let its event run again.
  function record(state, phase, more) {
    state.records.set(request.nonce, {phase, ...more});
  }

  function act(state) {
    const known = state.records.get(request.nonce), action = request.action;
    if (known) return known.phase === "void" ? {status: "void"} : {status: "repeated", ...known};
    record(state, "armed");
    const why = objection(state, action);
    if (why) {
      record(state, "refused", why);  // whoever decides anew has what the page shows now, and need not look again
      return {status: "refused", ...why, seen: seen(state, false)};
    }
    const before = look(state, action);
    record(state, "started");
    perform(state, action);
    const changed = look(state, action) !== before;
    record(state, "finished", {changed});
    return {status: "finished", changed};
  }

  // A nonce without an outcome is voided, and what is then written down is read back.
  function resolve(state) {
    const known = state.records.get(request.nonce);
    if (!known || known.phase === "armed") record(state, "void");
    return {status: "ok", ...state.records.get(request.nonce)};
  }

  function fresh(state) {
    const why = objection(state, request.action);
    return why ? {status: "refused", ...why} : {status: "ok"};
  }

  const BOUND = {act, resolve, fresh}, KINDS = new Set(["click", "fill", "select", "scroll"]);

  function answer() {
    if (request.op === "bind") return bind();
    if (request.op === "observe") return observe();
    const state = held();
    if (!state || state.epoch !== request.epoch) return {status: "document"};
    if (!Object.prototype.hasOwnProperty.call(BOUND, request.op)) return {status: "invalid", message: `op ${request.op}`};
    if (request.op !== "resolve" && !KINDS.has(request.action.kind)) return {status: "invalid", message: "kind"};
    return BOUND[request.op](state);
  }

  let reply;
  try {
    reply = answer();
  } catch (error) {
    reply = {status: "failed", message: String(error).slice(0, 200)};
  }
  return JSON.stringify(reply, whole);
}
