// What a page offers: its visible text, the actions of five kinds, and what the guards compare. A factory over names.js;
// evaluates to functions that read the page and change nothing but the numbers of elements that were seen.
// Separate from page.js, which keeps the state and acts.
function (names) {
  const TEXT_LIMIT = 6000, LABEL_LIMIT = 200, AROUND_LIMIT = 300, ACTION_LIMIT = 500;
  const CANDIDATES = "a[href], area[href], button, input, textarea, select, summary, label, [contenteditable], [role], " +
    "[onclick], [tabindex]";
  const CLICKED = new Set(("button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option " +
    "treeitem combobox gridcell slider spinbutton").split(" "));
  const WRITTEN = new Set("text search email url tel number date time month week datetime-local".split(" "));
  const PRESSED = new Set("button submit reset image checkbox radio color".split(" "));
  const SECRET = /(^|\s)(current-password|new-password|one-time-code)(\s|$)/;
  const NEAR = "li, tr, dt, dd, p, label, article, figure, [role=row], [role=listitem], [role=option], [role=article]";
  const WIDE = new Set(["html", "body", "main", "form"]);

  const tagOf = (el) => el.localName;

  // Two 32-bit FNV-1a sums with different bases: enough to notice a change, and nothing more is asked of it.
  function digest(parts) {
    const text = JSON.stringify(parts);
    let left = 0x811c9dc5, right = 0x9747b28c;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      left = Math.imul(left ^ code, 0x01000193);
      right = Math.imul(right ^ (code + at), 0x01000193);
    }
    return (left >>> 0).toString(16).padStart(8, "0") + (right >>> 0).toString(16).padStart(8, "0");
  }

  // A control whose value nobody but the user may give or read; once a password, always one.
  function forbidden(state, el) {
    if (tagOf(el) === "label" && el.control) return forbidden(state, el.control);
    if (tagOf(el) !== "input" && tagOf(el) !== "textarea") return false;
    if (el.type === "password" || SECRET.test((el.getAttribute("autocomplete") || "").toLowerCase())) state.secret.add(el);
    return el.type === "file" || el.type === "hidden" || state.secret.has(el);
  }

  function disabled(el) {
    if (tagOf(el) === "label" && el.control) return disabled(el.control);
    if (el.matches(":disabled")) return true;
    for (let node = el; node; node = names.parentOf(node)) {
      if (node.inert || node.getAttribute("aria-disabled") === "true") return true;
    }
    return false;
  }

  function editable(el) {
    if (tagOf(el) === "textarea") return !el.readOnly;
    if (tagOf(el) === "input") return WRITTEN.has(el.type) && !el.readOnly;
    const given = el.getAttribute("contenteditable");
    return given !== null && given.toLowerCase() !== "false" && el.isContentEditable &&
      el.getAttribute("aria-readonly") !== "true";
  }

  // The kinds of action that an element offers, by what it is alone.
  function kinds(el) {
    const tag = tagOf(el);
    if (tag === "select") return ["select"];
    if (tag === "label") return el.control && names.hiddenAnywhere(el.control) ? ["click"] : [];
    if (editable(el)) return ["fill", "click"];
    if (tag === "input") return PRESSED.has(el.type) ? ["click"] : [];
    if (tag === "textarea") return [];
    if (tag === "button" || tag === "summary" || tag === "a" || tag === "area") return ["click"];
    if (CLICKED.has(names.role(el)) || el.hasAttribute("onclick")) return ["click"];
    return el.tabIndex >= 0 && el.hasAttribute("tabindex") && getComputedStyle(el).cursor === "pointer" ? ["click"] : [];
  }

  function round(value) {
    return Math.round(value * 10) / 10;
  }

  function boxOf(el) {
    const box = el.getBoundingClientRect();
    return {x: round(box.x), y: round(box.y), w: round(box.width), h: round(box.height)};
  }

  // The parts of an element's boxes that are inside of the viewport.
  function inView(el) {
    const parts = [];
    for (const box of el.getClientRects()) {
      const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
      const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
      if (right - left >= 1 && bottom - top >= 1) parts.push({x: (left + right) / 2, y: (top + bottom) / 2});
    }
    return parts;
  }

  function* everything(root) {
    for (const el of root.querySelectorAll("*")) {
      yield el;
      if (el.shadowRoot) yield* everything(el.shadowRoot);
    }
  }

  function number(state, el) {
    let found = state.numbers.get(el);
    if (found === undefined) {
      found = state.next;
      state.next += 1;
      state.numbers.set(el, found);
      state.elements.set(found, new WeakRef(el));
    }
    return found;
  }

  const cut = (text, limit) => names.collapse(text).slice(0, limit);

  function valueOf(el, kind) {
    if (kind === "fill") return ("value" in el ? el.value : el.textContent).slice(0, LABEL_LIMIT);
    if (el.type === "checkbox" || el.type === "radio") return String(el.checked);
    return el.getAttribute("aria-checked") || "";
  }

  function elementActions(state, el, add) {
    const offered = kinds(el);
    if (!offered.length || forbidden(state, el) || disabled(el) || names.hiddenAnywhere(el)) return;
    if (tagOf(el) === "select" ? !el.getClientRects().length : !inView(el).length) return;
    const node = number(state, el), label = cut(tagOf(el) === "label" ? el.textContent : names.name(el), LABEL_LIMIT);
    const role = names.role(tagOf(el) === "label" ? el.control : el), rect = boxOf(el);
    for (const kind of offered) {
      if (kind !== "select") {
        add({kind, label, node, role, rect, value: valueOf(el, kind)}, el);
        continue;
      }
      Array.from(el.options).forEach((option, index) => {
        if (option.matches(":disabled") || option.hidden) return;
        const words = cut(`${label}: ${option.label}`, LABEL_LIMIT);
        add({kind, label: words, node, role, rect, value: option.value, option: index}, el);
      });
    }
  }

  function text() {
    if (!document.body) return "";
    const lines = document.body.innerText.split("\n").map((line) => names.collapse(line)).filter(Boolean).join("\n");
    return lines.slice(0, TEXT_LIMIT);
  }

  const route = () => location.origin + location.pathname;
  const viewport = () => `${innerWidth}x${innerHeight}`;
  const scroll = () => {
    const root = document.scrollingElement || document.documentElement;
    return {y: Math.round(root.scrollTop), height: root.scrollHeight};
  };

  function isField(el) {
    return /^(input|textarea|select)$/.test(tagOf(el)) && el.type !== "hidden";
  }

  // What stands in a field; of a secret one only whether there is anything.
  function stateOf(state, el) {
    const value = forbidden(state, el) ? String(Boolean(el.value)) : el.value;
    return [el.type, el.name, value, Boolean(el.checked)];
  }

  const everyField = () => Array.from(everything(document)).filter(isField);

  // The fields of the same form, or those of no form; without an element all there are.
  function fields(state, el, all) {
    const form = el ? el.form || el.closest("form") : null;
    const others = all.filter((other) => other !== el && (!el || (other.form || null) === form));
    return digest(others.map((other) => stateOf(state, other)));
  }

  function target(state, el) {
    const own = tagOf(el) === "label" && el.control ? el.control : el;
    const flags = ["aria-checked", "aria-selected", "aria-expanded", "aria-pressed", "aria-disabled", "href"];
    const options = tagOf(own) === "select" ?
      Array.from(own.options, (option) => [option.label, option.value, option.disabled, option.selected]) : [];
    return digest([
      tagOf(el), names.role(own), names.name(own), isField(own) ? stateOf(state, own) : editable(own) ? own.textContent : "",
      disabled(own), Boolean(own.readOnly), flags.map((name) => own.getAttribute(name)), options
    ]);
  }

  function around(el) {
    let near = el.parentElement && el.parentElement.closest(NEAR) || el.parentElement;
    if (!near || WIDE.has(tagOf(near))) near = null;
    return digest([near ? cut(near.textContent, AROUND_LIMIT) : ""]);
  }

  function guard(state, el, all) {
    return {fields: fields(state, el, all || everyField()), target: target(state, el), around: around(el)};
  }

  function take(state) {
    const actions = [], guards = {}, position = scroll(), all = everyField();
    let left_out = 0;
    const add = (action, el) => {
      if (actions.length >= ACTION_LIMIT) {
        left_out += 1;
        return;
      }
      actions.push({id: `e${actions.length + 1}`, ...action});
      if (!guards[action.node]) guards[action.node] = guard(state, el, all);
    };
    all.forEach((el) => forbidden(state, el));
    for (const el of everything(document)) {
      if (el.matches(CANDIDATES)) elementActions(state, el, add);
    }
    const words = text();
    if (position.y + innerHeight < position.height - 1) actions.push({id: "scroll-down", kind: "scroll", label: "Scroll down"});
    if (position.y > 0) actions.push({id: "scroll-up", kind: "scroll", label: "Scroll up"});
    actions.push({id: "wait", kind: "wait", label: "Wait for the page to update"});
    const shown = actions.map((action) => [action.id, action.kind, action.label, action.value]);
    const page = {
      route: route(), viewport: viewport(), fields: fields(state, null, all),
      content: digest([document.title, words, shown, position])
    };
    return {text: words, scroll: position, actions, left_out, page, guards};
  }

  return {take, guard, route, viewport, forbidden, disabled, editable, inView, digest};
}
