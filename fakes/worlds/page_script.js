// What a page definition does, in a real engine: the same effects as fakes/worlds/page_effects.py, carried out by the
// page itself. Written into every page by fakes/worlds/page_html.py; PAGE is its data.
(function (PAGE) {
  "use strict";
  const nodes = new Map();   // name -> element
  const rows = new WeakMap();  // element -> its row of the definition: {name, on, element}
  const find = (name) => {
    const node = nodes.get(name);
    if (!node || !node.isConnected) throw new Error("no node " + name);
    return node;
  };
  function listen(node, row) {
    const on = row.on || {};
    rows.set(node, row);
    nodes.set(row.name, node);
    const handle = (event, effects) => { if (effects) run(effects, event); };
    if (on.click) node.addEventListener("click", (event) => {
      const control = event.target.closest && event.target.closest("button,input,select,textarea");
      if (!control || !control.disabled) handle(event, on.click);
    });
    if (on.type) node.addEventListener("input", (event) => handle(event, on.type));
    if (on.change) node.addEventListener("change", (event) => handle(event, on.change));
    if (on.hover) node.addEventListener("mouseenter", (event) => handle(event, on.hover));
    if (on.submit) node.addEventListener("submit", (event) => {
      if (!node.hasAttribute("action")) event.preventDefault();
      handle(event, on.submit);
    });
    if (on.key) node.addEventListener("keydown", (event) => handle(event, on.key[event.key]));
  }
  function bind(root) {
    const walk = (node) => {
      const name = node.getAttribute && node.getAttribute("data-node");
      if (name && PAGE.rows[name]) listen(node, PAGE.rows[name]);
      if (node.shadowRoot) for (const child of node.shadowRoot.children) walk(child);
      for (const child of node.children) walk(child);
    };
    walk(root);
  }
  function names(given) {
    if (!given.id) {
      let count = 1;
      while (nodes.has("n" + count) && nodes.get("n" + count).isConnected) count += 1;
      given = Object.assign({}, given, {id: "n" + count});
    }
    return given;
  }
  function build(given) {
    given = names(given);
    const node = document.createElement(given.tag || "div");
    node.setAttribute("data-node", given.id);
    nodes.set(given.id, node);
    for (const [name, value] of Object.entries(given.attributes || {})) node.setAttribute(name, value === true ? "" : value);
    if (given.hidden === "display") node.style.display = "none";
    if (given.hidden === "visibility") node.style.visibility = "hidden";
    if (given.at && given.at.length) {
      const [x, y, width, height] = given.at;
      Object.assign(node.style, {position: "absolute", left: x + "px", top: y + "px", width: width + "px", height: height + "px", boxSizing: "border-box", margin: "0"});
    }
    if (given.overlay) { node.style.zIndex = "1000"; if (!node.style.position) node.style.position = "relative"; }
    const fill = (parent, parts) => {
      for (const part of parts) parent.append(typeof part === "string" ? part : build(part));
    };
    if (given.text) node.append(given.text);
    fill(node, given.children || []);
    if (given.shadow && given.shadow.length) fill(node.attachShadow({mode: "open"}), given.shadow);
    if (given.value != null) node.value = given.value;
    if (given.checked) node.checked = true;
    listen(node, {name: given.id, on: given.on, element: given});
    return node;
  }
  function twin(old) {
    const copy = old.cloneNode(true);
    const pair = (a, b) => {
      if ("value" in a && a.tagName !== "LI" && a.type !== "file") b.value = a.value;
      if ("checked" in a) b.checked = a.checked;
      if (a.shadowRoot) {
        const root = b.attachShadow({mode: "open"});
        for (const child of a.shadowRoot.childNodes) root.append(child.cloneNode(true));
        for (let i = 0; i < a.shadowRoot.children.length; i += 1) pair(a.shadowRoot.children[i], root.children[i]);
      }
      for (let i = 0; i < a.children.length; i += 1) pair(a.children[i], b.children[i]);
      if (rows.has(a)) listen(b, rows.get(a));
    };
    pair(old, copy);
    return copy;
  }
  const DO = {
    set(effect) {
      const given = effect.set;
      const node = find(given.node);
      if ("text" in given) node.textContent = given.text || "";
      if ("value" in given) node.value = given.value || "";
      if ("hidden" in given) {
        node.style.display = given.hidden === "display" ? "none" : "";
        node.style.visibility = given.hidden === "visibility" ? "hidden" : "";
      }
      if ("checked" in given) node.checked = given.checked;
      for (const [name, value] of Object.entries(given.attributes || {})) {
        if (value === null) node.removeAttribute(name);
        else node.setAttribute(name, value === true ? "" : value);
      }
    },
    remove(effect) { find(effect.remove).remove(); },
    insert(effect) {
      const given = effect.insert;
      const parent = given.into === "body" ? document.body : find(given.into);
      const node = build(given.element);
      const at = given.at == null ? null : [...parent.childNodes].filter((each) => each !== self)[given.at] || null;
      parent.insertBefore(node, at || (parent === document.body ? self : null));
    },
    replace(effect) { find(effect.replace.node).replaceWith(build(effect.replace.element)); },
    rerender(effect) { const old = find(effect.rerender); old.replaceWith(twin(old)); },
    navigate(effect) { location.href = effect.navigate; },
    reload() { location.reload(); },
    push(effect) { history.pushState({}, "", effect.push); },
    back() { history.back(); },
    open(effect) { window.open(effect.open, "_blank"); },
    close() { window.close(); },
    console(effect) { console[effect.console.level || "info"](effect.console.text); },
    fetch(effect) { fetch(effect.fetch.url, {method: effect.fetch.method || "GET"}).catch(() => {}); },
    title(effect) { document.title = effect.title; },
    focus(effect) { find(effect.focus).focus(); },
    after_ms(effect) { setTimeout(() => run(effect.do || []), effect.after_ms); },
    download() {},
    prevent(effect, event) { if (event) event.preventDefault(); },
  };
  const ASK = {
    alert: (text) => { alert(text); return true; },
    confirm: (text) => confirm(text),
    prompt: (text) => prompt(text) !== null,
  };
  const self = document.currentScript;
  function run(effects, event) {
    for (const effect of effects) {
      const asked = Object.keys(ASK).find((name) => name in effect);
      if (asked) { run(ASK[asked](effect[asked]) ? effect.then || [] : effect.else || [], event); continue; }
      if ("throw" in effect) throw new Error(effect.throw);
      DO[Object.keys(DO).find((name) => name in effect)](effect, event);
    }
  }
  bind(document.body);
  Object.defineProperty(window, Symbol.for("page"), {value: {run, listens: (node) => Object.keys((rows.get(node) || {}).on || {})}});
  for (const message of PAGE.console) console[message.level](message.text);
  for (const request of PAGE.requests) fetch(request.url, {method: request.method}).catch(() => {});
  for (const timer of PAGE.timers) setTimeout(() => run(timer.do), timer.after_ms);
  if (PAGE.on.load) addEventListener("load", () => run(PAGE.on.load));
  if (PAGE.on.key) addEventListener("keydown", (event) => { if (PAGE.on.key[event.key]) run(PAGE.on.key[event.key], event); });
})
