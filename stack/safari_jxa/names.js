// Roles, visibility and accessible names of elements, after "Accessible Name and Description Computation 1.2" and
// "HTML Accessibility API Mappings" (W3C). A factory: evaluates to an object of functions that change nothing.
// Separate from the snapshot, because the guards in page.js name elements by the same rules.
function () {
  const CONTENT_ROLES = new Set(("button cell checkbox columnheader comment gridcell heading link menuitem " +
    "menuitemcheckbox menuitemradio option radio row rowheader sectionfooter sectionheader suggestion switch tab " +
    "tooltip treeitem").split(" "));
  const RANGES = new Set("meter progressbar scrollbar slider spinbutton".split(" "));
  const TAG_ROLES = {
    article: "article", aside: "complementary", button: "button", datalist: "listbox", dd: "definition",
    details: "group", dialog: "dialog", dt: "term", fieldset: "group", figure: "figure", h1: "heading", h2: "heading",
    h3: "heading", h4: "heading", h5: "heading", h6: "heading", hr: "separator", li: "listitem", main: "main",
    menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option",
    output: "status", p: "paragraph", progress: "progressbar", search: "search", summary: "button", table: "table",
    tbody: "rowgroup", td: "cell", textarea: "textbox", tfoot: "rowgroup", th: "columnheader", thead: "rowgroup",
    tr: "row", ul: "list"
  };
  const INPUT_ROLES = {
    button: "button", checkbox: "checkbox", email: "textbox", image: "button", number: "spinbutton", radio: "radio",
    range: "slider", reset: "button", search: "searchbox", submit: "button", tel: "textbox", text: "textbox",
    url: "textbox"
  };
  const ROLES = new Set(("alert alertdialog application article banner blockquote button caption cell checkbox code " +
    "columnheader combobox comment complementary contentinfo definition deletion dialog directory document emphasis " +
    "feed figure form generic grid gridcell group heading image img insertion link list listbox listitem log main mark " +
    "marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph " +
    "presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator " +
    "slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox " +
    "time timer toolbar tooltip tree treegrid treeitem").split(" "));
  const BUTTON_DEFAULTS = {submit: "Submit", reset: "Reset"};

  const tagOf = (el) => el.localName;
  const typeOf = (el) => (tagOf(el) === "input" ? el.type : "");
  const trim = (text) => text.trim();
  const tidy = (text) => trim(text.replace(/[ \t\n\f\r]+/g, " "));
  const collapse = (text) => text.replace(/\s+/g, " ").trim();
  const attribute = (el, name) => el.getAttribute(name) || "";

  function role(el) {
    for (const token of attribute(el, "role").toLowerCase().split(/\s+/)) {
      if (ROLES.has(token)) return token;
    }
    const tag = tagOf(el);
    if (tag === "a" || tag === "area") return el.hasAttribute("href") ? "link" : "generic";
    if (tag === "img") return el.getAttribute("alt") === "" ? "none" : "img";
    if (tag === "select") return el.multiple || el.size > 1 ? "listbox" : "combobox";
    if (tag === "input") {
      const kind = INPUT_ROLES[el.type] || "";
      return kind && el.hasAttribute("list") && (kind === "textbox" || kind === "searchbox") ? "combobox" : kind;
    }
    if (tag === "section") return el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby") ? "region" : "generic";
    if (el.isContentEditable && attribute(el, "contenteditable") !== "false" && el.hasAttribute("contenteditable")) {
      return TAG_ROLES[tag] || "textbox";
    }
    return TAG_ROLES[tag] || "";
  }

  // By its own style and attribute; hiddenAnywhere also by those above it.
  function hidden(el) {
    if (attribute(el, "aria-hidden").toLowerCase() === "true") return true;
    return unrendered(el);
  }

  function unrendered(el) {
    const style = getComputedStyle(el);
    return style.display === "none" || style.visibility === "hidden" || style.visibility === "collapse";
  }

  const parentOf = (node) => node.assignedSlot || node.parentElement ||
    (node.parentNode && node.parentNode.host ? node.parentNode.host : null);

  function hiddenAnywhere(el) {
    const style = getComputedStyle(el);
    if (style.visibility === "hidden" || style.visibility === "collapse") return true;
    for (let node = el; node; node = parentOf(node)) {
      if (attribute(node, "aria-hidden").toLowerCase() === "true") return true;
      if (getComputedStyle(node).display === "none") return true;
      if (tagOf(node) === "details" && node !== el && !node.open && !inSummary(node, el)) return true;
    }
    return false;
  }

  function inSummary(details, el) {
    const summary = Array.prototype.find.call(details.children, (child) => tagOf(child) === "summary");
    return Boolean(summary) && summary.contains(el);
  }

  const scopeOf = (el) => el.getRootNode();

  // Of elements that stand in the page, so that their root is the document or a shadow root, which find by id.
  function referenced(el, name) {
    const ids = attribute(el, name).split(/\s+/).filter(Boolean);
    const scope = scopeOf(el);
    return ids.map((id) => scope.getElementById(id)).filter(Boolean);
  }

  function chosen(el) {
    if (tagOf(el) === "select") return Array.from(el.selectedOptions);
    const options = Array.from(el.querySelectorAll("[role~=option]"));
    const owned = referenced(el, "aria-owns").concat(referenced(el, "aria-controls"));
    for (const other of owned) options.push(...other.querySelectorAll("[role~=option]"));
    return options.filter((option) => attribute(option, "aria-selected") === "true");
  }

  // The value of a control that stands inside of another one's name; null where it is no such control.
  function embedded(el, kind, walk) {
    if (kind === "textbox" || kind === "searchbox") return "value" in el ? el.value : el.textContent;
    if (kind === "combobox" || kind === "listbox") {
      const options = chosen(el);
      if (options.length) return options.map((option) => compute(option, walk)).join(" ");
      if (tagOf(el) === "input" && "value" in el) return el.value;
      if (kind === "combobox" && tagOf(el) !== "select") return el.textContent;
      return "";
    }
    if (kind === "menu") return "";
    if (RANGES.has(kind)) {
      for (const name of ["aria-valuetext", "aria-valuenow"]) {
        if (el.hasAttribute(name)) return el.getAttribute(name);
      }
      return "value" in el ? String(el.value) : "";
    }
    return null;
  }

  function labelsOf(el) {
    return el.labels ? Array.from(el.labels) : [];
  }

  function firstChild(el, tag) {
    return Array.prototype.find.call(el.children, (child) => tagOf(child) === tag);
  }

  // The name that the host language gives; null where it gives none.
  function native(el, walk) {
    const tag = tagOf(el);
    if (el.namespaceURI === "http://www.w3.org/2000/svg") {
      const title = firstChild(el, "title");
      return title ? title.textContent : null;
    }
    const type = typeOf(el);
    if (type === "button" || BUTTON_DEFAULTS[type]) {
      const value = el.getAttribute("value");
      if (value !== null && (value || type === "button")) return value || null;
      return BUTTON_DEFAULTS[type] || null;
    }
    if (tag === "img" || tag === "area") return el.alt || null;
    const labels = labelsOf(el).filter((label) => !walk.seen.has(label));
    if (labels.length) {
      const words = labels.map((label) => compute(label, {...walk, part: true, naming: el})).filter((text) => trim(text));
      if (words.length) return words.join(" ");
    }
    if (type === "image") return el.alt || el.getAttribute("value") || el.getAttribute("title") || "Submit";
    const caption = {fieldset: "legend", table: "caption", figure: "figcaption"}[tag];
    const child = caption && firstChild(el, caption);
    if (child) return compute(child, {...walk, part: true});
    if (tag === "optgroup") return el.label || null;
    if (tag === "option" && el.label && !trim(el.textContent)) return el.label;
    return null;
  }

  const RUNNING = /^(inline|contents|ruby|ruby-text|none)$/;

  function generated(el, which) {
    const style = getComputedStyle(el, which);
    const content = style.content;
    if (!content || content === "none" || content === "normal" || style.display === "none") return "";
    const alternative = content.split(/(?<=["'\)]) \/ (?=["'])/);
    const text = (alternative.length > 1 ? alternative[1] : content).match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|attr\([^)]*\)/g) || [];
    const words = text.map((part) => {
      if (part.startsWith("attr(")) return attribute(el, part.slice(5, -1).trim());
      return part.slice(1, -1).replace(/\\(.)/g, "$1");
    }).join("");
    return RUNNING.test(style.display) ? words : ` ${words} `;
  }

  function childrenOf(el) {
    if (tagOf(el) === "slot") {
      const given = el.assignedNodes();
      return given.length ? given : Array.from(el.childNodes);
    }
    return Array.from((el.shadowRoot || el).childNodes);
  }

  function content(el, walk) {
    let text = generated(el, "::before");
    const children = childrenOf(el).concat(referenced(el, "aria-owns"));
    for (const child of children) {
      if (child.nodeType === 3) {
        text += child.data;
      } else if (tagOf(child) === "br") {
        text += " ";
      } else if (child.nodeType === 1) {
        const inner = walk.seen.has(child) ? "" : compute(child, {...walk, part: true, direct: false});
        text += RUNNING.test(getComputedStyle(child).display) ? inner : ` ${inner} `;
      }
    }
    return text + generated(el, "::after");
  }

  function tooltip(el) {
    return attribute(el, "title") || attribute(el, "placeholder") || attribute(el, "aria-placeholder");
  }

  // walk: seen (elements on the way), referred (in a labelledby walk), part (a part of another name), direct (named by
  // a reference itself), shown (hidden parts count, since what was referred to is hidden), naming (whose label it is).
  function compute(el, walk) {
    if (walk.seen.has(el) && !walk.direct) return "";
    const tag = tagOf(el);
    if (/^(script|style|template|noscript|head)$/.test(tag) && !walk.direct) return "";
    if (hidden(el) && !walk.direct && !walk.shown) return "";
    const inner = {...walk, seen: new Set(walk.seen).add(el), direct: false};
    if (!walk.referred && el.hasAttribute("aria-labelledby")) {
      const others = referenced(el, "aria-labelledby");
      const words = others.map((other) => compute(other, {
        seen: new Set(other === el ? [] : [el]), referred: true, part: true, direct: true, shown: hiddenAnywhere(other)
      })).map(trim).filter(Boolean);
      if (words.length) return words.join(" ");
    }
    const kind = role(el);
    if (walk.part && !walk.direct && walk.naming !== el) {
      const value = embedded(el, kind, {...inner, part: true});
      if (value !== null) return value;
    }
    const label = attribute(el, "aria-label");
    if (trim(label)) return label;
    const quiet = kind === "none" || kind === "presentation";
    if (!quiet) {
      const given = native(el, inner);
      if (given !== null && trim(given)) return given;
    }
    if (CONTENT_ROLES.has(kind) || walk.part) {
      if (kind === "textbox" && walk.direct && "value" in el && !walk.naming) return el.value || tooltip(el);
      const text = content(el, inner);
      if (trim(text) || walk.part && !walk.direct && !tooltip(el)) return text;
    }
    return quiet && tag !== "img" ? "" : tooltip(el);
  }

  function name(el) {
    return tidy(compute(el, {seen: new Set(), referred: false, part: false, direct: true, shown: false}));
  }

  return {role, name, hiddenAnywhere, collapse, parentOf};
}
