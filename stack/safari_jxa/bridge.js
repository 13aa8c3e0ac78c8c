// The bridge: one JXA program a session, which turns lines of JSON into Apple Events to one Safari process and back.
// It keeps nothing but the page program, decides nothing beyond "is this still the tab", and answers every request once.
// Requests and replies are ASCII: Foundation's decoder gives nil for a character that is split over two reads.
ObjC.import("Foundation");
ObjC.import("AppKit");

function run() {
  "use strict";
  const SAFARI = "com.apple.Safari", LATIN1 = 5, UTF8 = 4;
  const GONE = new Set([-1728, -1719, -10006]);
  const files = $.NSFileHandle, input = files.fileHandleWithStandardInput, output = files.fileHandleWithStandardOutput;
  const applications = new Map();
  let program = "null", sent = false;  // until a program comes, what is evaluated is an error

  function ascii(value) {
    return JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"));
  }

  function say(message) {
    output.writeData($(ascii(message) + "\n").dataUsingEncoding(UTF8));
  }

  function fault(code, text) {
    const error = new Error(text);
    error.errorNumber = code;
    return error;
  }

  function whole(params, name) {
    const value = params[name];
    if (!Number.isInteger(value)) throw fault(-32602, name + " is not a whole number");
    return value;
  }

  function text(params, name) {
    const value = params[name];
    if (typeof value !== "string") throw fault(-32602, name + " is not a text");
    return value;
  }

  function safari(params) {
    const pid = whole(params, "pid");
    if (!applications.has(pid)) {
      try {
        applications.set(pid, Application(pid));
      } catch (error) {
        throw fault(-600, String(error.message));
      }
    }
    return applications.get(pid);
  }

  const windowOf = (params) => safari(params).windows.byId(whole(params, "window"));

  function visible(window) {
    const seen = window.tabs.visible();
    if (!Array.isArray(seen) || seen.length === 0) throw fault(-1728, "no tabs");
    const shown = [];
    seen.forEach((is, position) => { if (is === true) shown.push(position); });
    return {tabs: seen.length, visible: shown};
  }

  const edges = (box) => [box.x, box.y, box.width, box.height];

  function screens() {
    const all = $.NSScreen.screens, found = [];
    const height = all.objectAtIndex(0).frame.size.height;
    for (let at = 0; at < all.count; at += 1) {
      const box = all.objectAtIndex(at).visibleFrame;
      found.push([box.origin.x, height - box.origin.y - box.size.height, box.size.width, box.size.height]);
    }
    return found;
  }

  function processes() {
    const all = $.NSRunningApplication.runningApplicationsWithBundleIdentifier(SAFARI), found = [];
    for (let at = 0; at < all.count; at += 1) found.push(all.objectAtIndex(at).processIdentifier);
    return found;
  }

  function listed(params, id) {
    const window = safari(params).windows.byId(id);
    try {
      const seen = visible(window);
      const row = {window: id, tabs: seen.tabs, position: seen.visible.length === 1 ? seen.visible[0] : null};
      row.bounds = edges(window.bounds());
      if (params.titles === true) {
        row.title = window.currentTab.name();
        row.url = window.currentTab.url();
      }
      return row;
    } catch (error) {
      if (GONE.has(error.errorNumber)) return null;
      throw error;
    }
  }

  function open(params) {
    const application = safari(params), marker = text(params, "marker");
    const before = new Set(application.windows.id());
    sent = true;
    application.Document({url: marker}).make();
    const fresh = application.windows.id().filter((id) => !before.has(id));
    const ours = fresh.filter((id) => application.windows.byId(id).currentTab.url() === marker);
    return ours.length === 1 ? {window: ours[0]} : {window: null, seen: ours.length};
  }

  function place(params) {
    const box = params.bounds;
    sent = true;
    windowOf(params).bounds = {x: box[0], y: box[1], width: box[2], height: box[3]};
    return {};
  }

  function go(params) {
    const url = text(params, "url");
    sent = true;
    windowOf(params).currentTab.url = url;
    return {};
  }

  function look(params) {
    const window = windowOf(params), seen = visible(window);
    return {tabs: seen.tabs, visible: seen.visible, position: window.currentTab.index() - 1};
  }

  function evaluate(params) {
    const source = "(" + program + "\n)(" + ascii(params.argument) + ")";
    const tab = windowOf(params).tabs.at(whole(params, "position"));
    const value = safari(params).doJavaScript(source, {in: tab});
    return typeof value === "string" ? value : null;
  }

  function fits(params, seen) {
    const any = params.tabs === null;
    if (!any && params.tabs !== seen.tabs) return false;
    if (seen.visible.length === 0) return !any || seen.tabs === 1;
    return seen.visible.includes(params.position);
  }

  function guarded(params, mutates) {
    const seen = visible(windowOf(params));
    if (!fits(params, seen)) return {tabs: seen.tabs, visible: seen.visible, lost: true};
    sent = mutates;
    return {tabs: seen.tabs, visible: seen.visible, value: evaluate(params)};
  }

  function close(params) {
    const seen = visible(windowOf(params));
    if (seen.tabs !== params.tabs) return {closed: false, tabs: seen.tabs};
    sent = true;
    windowOf(params).close();
    return {closed: true, tabs: seen.tabs};
  }

  const METHODS = {
    start: (params) => {
      program = text(params, "program");
      return {pids: processes()};
    },
    displays: () => ({displays: screens()}),
    windows: (params) => ({windows: safari(params).windows.id().map((id) => listed(params, id)).filter((row) => row)}),
    open, place, go, look, close,
    read: (params) => guarded(params, false),
    act: (params) => guarded(params, true),
    resolve: (params) => ({value: evaluate(params)})
  };

  // An application that can't be reached has no dictionary: its collections are undefined, and nothing says -600.
  function numberOf(error, id, params) {
    if (Number.isInteger(error.errorNumber)) return error.errorNumber;
    if (id === null) return -32700;
    try {
      return Number.isInteger(params.pid) && safari(params).running() === false ? -600 : -2700;
    } catch (unasked) {  // whatever it is that can't be asked: the request has its answer all the same
      return -2700;
    }
  }

  function answer(line) {
    let id = null, params = {};
    sent = false;
    try {
      if (/[^\x20-\x7e]/.test(line.replace(/\r$/, ""))) throw fault(-32700, "a line that is not ASCII");
      const request = JSON.parse(line);
      id = request.id === undefined ? null : request.id;
      if (!Object.prototype.hasOwnProperty.call(METHODS, request.method)) throw fault(-32601, "no such method");
      params = request.params || params;
      return {id, result: METHODS[request.method](params)};
    } catch (error) {
      const code = numberOf(error, id, params);
      return {id, error: {code, message: String(error.message), data: {sent}}};
    }
  }

  let rest = "";
  say({method: "ready", params: {bridge: 1}});
  for (;;) {
    const data = input.availableData;
    if (data.length === 0) return;
    rest += $.NSString.alloc.initWithDataEncoding(data, LATIN1).js;
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      say(answer(line));
    }
  }
}
