// What a script finds in `osascript -l JavaScript`, over the one function that leads out of the engine.
// Source: Apple's JavaScript for Automation release notes, @jxa/types, and trailcam facts: JXA, sections 1 and 2.
// It evaluates to the answer for the machine: {"text"} or {"name", "message", "number", "line"}.
// Names that it needs later are taken first, so that a script which replaces them changes nothing here.
(function (global) {
'use strict';
const seam = global.__py;
for (const name of ['__py', 'btoa', 'atob', 'performance', 'queueMicrotask', 'DOMException', 'SuppressedError',
  'DisposableStack', 'AsyncDisposableStack', 'InternalError']) delete global[name];
const { parse, stringify } = JSON;
const { concat } = Array.prototype, has = Object.prototype.hasOwnProperty;
const evaluate = global.eval;
const HERE = 100000; // lines of the prelude begin behind those of any script

const problem = (number, message) => { const error = new Error(message); error.errorNumber = number; return error; };
const asked = (op, argument) => {
  const answer = parse(seam(op, stringify(argument === undefined ? null : argument)));
  if (answer.error) throw problem(answer.error.number, answer.error.message);
  return answer;
};
const call = (op, argument) => asked(op, argument).value;

// Object specifiers: a path that is sent with an event, and sends none by itself.
const PATH = Symbol('path'), MADE = Symbol('made');
const COMMANDS = new Set(['doJavaScript', 'activate', 'close', 'quit', 'make', 'launch', 'exists', 'open', 'move',
  'duplicate', 'delete', 'save', 'print', 'reopen', 'select', 'displayDialog', 'displayAlert', 'displayNotification',
  'doShellScript', 'chooseFile', 'systemInfo', 'showBookmarks', 'searchTheWeb']);
const LOCAL = new Set(['includeStandardAdditions', 'strictPropertyScope', 'strictCommandScope', 'strictParameterType']);
const show = path => path.map(([kind, value], index) => index === 0 ? `Application(${stringify(value)})`
  : kind === 'p' ? `.${value}` : kind === 'id' ? `.byId(${stringify(value)})`
  : kind === 'at' ? `.at(${stringify(value)})` : `.${kind}(${stringify(value)})`).join('');
const isSpecifier = value => typeof value === 'function' && value[PATH] !== undefined;
const outward = value => {
  if (isSpecifier(value)) return { specifier: value[PATH] };
  if (value && value[MADE]) return { made: value[MADE] };
  if (value && value.js !== undefined && value instanceof NSObject) return value.js;
  return value === undefined ? null : value;
};
const inward = (answer, known) => 'specifier' in answer ? specifier(answer.specifier, known)
  : 'specifiers' in answer ? listed(answer.specifiers, known) : answer.value;
const listed = (parts, known) => parts.map(part => part === null ? null
  : Array.isArray(part) ? listed(part, known) : specifier(part.specifier, known));
const send = (event, path, more, known) =>
  inward(asked('event', more === undefined ? { event, path } : { event, path, ...more }), known);

const CALLABLE = function () {};
const METHODS = { // name -> the function that a specifier has under it
  byId: one => id => one.step('id', id), byName: one => name => one.step('name', name),
  at: one => index => one.step('at', index), whose: one => test => one.step('whose', test),
  push: one => thing => send('push', one.path, { value: outward(thing) }, one.known),
  toString: one => () => show(one.path),
};
class Specifier { // traps of one proxy; known: whether the dictionary of its application is
  constructor(path, known) { this.path = path; this.known = known; this.local = null; }
  step(kind, value) { return specifier(concat.call(this.path, [[kind, value]]), this.known); }
  get(_, key) {
    if (key === PATH) return this.path;
    if (typeof key === 'symbol') return key === Symbol.toPrimitive ? () => show(this.path) : undefined;
    if (key === 'length') return send('count', this.path, undefined, this.known);
    // An application that cannot be reached has no dictionary, and its collections have no methods (apple-mcp #44).
    if (has.call(METHODS, key)) return this.known || key === 'toString' ? METHODS[key](this) : undefined;
    if (key === 'first') return this.step('at', 0);
    if (key === 'last') return this.step('at', -1);
    if (/^\d/.test(key)) return this.step('at', Number(key));
    if (this.path.length === 1) {
      if (LOCAL.has(key)) return this.local !== null && this.local[key] === true;
      if (/^[A-Z][a-z]/.test(key)) return properties => constructed(this.path, key, properties, this.known);
    }
    return this.step('p', key);
  }
  set(_, key, value) {
    if (this.path.length === 1 && LOCAL.has(key)) (this.local = this.local || {})[key] = value;
    else send('set', concat.call(this.path, [['p', key]]), { value: outward(value) }, this.known);
    return true;
  }
  apply(_, self, given) {
    const path = this.path, [kind, name] = path[path.length - 1];
    if (kind === 'p' && name === 'running' && path.length === 2) return call('running', path);
    if (kind === 'p' && (given.length || COMMANDS.has(name))) {
      const options = {};
      for (const [key, value] of Object.entries(given[1] || {})) options[key] = outward(value);
      return send(name, path.slice(0, -1), { value: outward(given[0]), options }, this.known);
    }
    return send('get', path, undefined, this.known);
  }
}
function specifier(path, known) { return new Proxy(CALLABLE, new Specifier(path, known)); }
const constructed = (path, kind, properties, known) => {
  const made = { class: kind, properties: {} };
  for (const [key, value] of Object.entries(properties || {})) made.properties[key] = outward(value);
  return { [MADE]: made, make: () => send('make', path, { value: { made } }, known) };
};
global.Application = Object.assign(
  name => specifier([['app', name]], call('application', name)),
  { currentApplication: () => specifier([['app', 'osascript']], true) });
Object.defineProperty(global.Application, 'name', { value: 'Application' });

// The Objective-C bridge, as far as a bridge program needs it. Bytes are texts of characters 0 to 255.
const BYTES = Symbol('bytes');
const utf8 = text => /^[\x00-\x7f]*$/.test(text) ? text : unescape(encodeURIComponent(text));
const ENCODINGS = { // number -> [text to bytes, bytes to text]; either gives null where it can't
  1: [text => /^[\x00-\x7f]*$/.test(text) ? text : null, bytes => /^[\x00-\x7f]*$/.test(bytes) ? bytes : null],
  4: [text => { try { return utf8(text); } catch (error) { return null; } },
    bytes => { try { return /^[\x00-\x7f]*$/.test(bytes) ? bytes : decodeURIComponent(escape(bytes)); } catch (error) { return null; } }],
  5: [text => /^[\x00-\xff]*$/.test(text) ? text : null, bytes => bytes],
};
class NSObject {
  isNil() { return false; }
  get js() { return undefined; }
  get description() { return string(String(this.js)); }
}
class Nil extends NSObject { isNil() { return true; } }
const nil = new Nil();
class NSValue extends NSObject {
  constructor(value) { super(); Object.defineProperty(this, 'value', { value }); }
  get js() { return this.value; }
  get intValue() { return Math.trunc(Number(this.value)); }
  get doubleValue() { return Number(this.value); }
}
class NSString extends NSValue {
  get length() { return this.value.length; }
  get UTF8String() { return this.value; }
  dataUsingEncoding(encoding) {
    const bytes = encoding in ENCODINGS ? ENCODINGS[encoding][0](this.value) : null;
    return bytes === null ? nil : data(bytes);
  }
  isEqualToString(other) { return this.value === plain(other); }
}
class NSData extends NSObject {
  constructor(bytes) { super(); this[BYTES] = bytes; }
  get length() { return this[BYTES].length; }
  isEqualToData(other) { return this[BYTES] === other[BYTES]; }
  subdataWithRange({ location, length }) {
    if (location + length > this.length) throw problem(-2700, `range {${location}, ${length}} exceeds data length ${this.length}`);
    return data(this[BYTES].substr(location, length));
  }
  base64EncodedStringWithOptions() { return string(call('base64', this[BYTES])); }
}
class NSMutableData extends NSData {
  appendData(other) { this[BYTES] += other[BYTES]; }
}
class NSArray extends NSValue {
  get count() { return this.value.length; }
  get firstObject() { return this.value.length ? this.value[0] : nil; }
  objectAtIndex(index) {
    if (!(index in this.value)) throw problem(-2700, `index ${index} beyond bounds of an array of ${this.count}`);
    return this.value[index];
  }
}
class NSDictionary extends NSValue {
  objectForKey(key) { return plain(key) in this.value ? this.value[plain(key)] : nil; }
}
class NSFileHandle extends NSObject {
  constructor(number) { super(); Object.defineProperty(this, 'fileDescriptor', { value: number }); }
  get availableData() { return data(call('read', null)); }
  readDataOfLength(length) { return data(call('read_whole', length)); }
  get readDataToEndOfFile() { return data(call('read_whole', null)); }
  writeData(other) { call('write', [this.fileDescriptor, other[BYTES]]); }
  get closeFile() { return call('close', this.fileDescriptor); }
  get synchronizeFile() { return undefined; }
}
const data = bytes => new NSData(bytes);
const string = text => new NSString(text);
const plain = value => value instanceof NSObject ? value.js : value;
const wrapped = value => value === null || value === undefined ? nil : value instanceof NSObject ? value
  : typeof value === 'string' ? string(value) : Array.isArray(value) ? new NSArray(value.map(wrapped))
  : typeof value === 'object' ? new NSDictionary(Object.fromEntries(Object.entries(value).map(([k, v]) => [k, wrapped(v)])))
  : new NSValue(value);
const unwrapped = value => value instanceof NSData ? value : plain(value);
const deep = value => {
  const bare = unwrapped(value);
  if (Array.isArray(bare)) return bare.map(deep);
  if (value instanceof NSDictionary) return Object.fromEntries(Object.entries(bare).map(([k, v]) => [k, deep(v)]));
  return bare;
};
const once = make => { let made; return () => made === undefined ? (made = make()) : made; };
const files = [0, 1, 2].map(number => new NSFileHandle(number));
const allocated = (kind, make) => ({ alloc: { get init() { return make(); } } });
const FOUNDATION = {
  NSASCIIStringEncoding: 1, NSUTF8StringEncoding: 4, NSISOLatin1StringEncoding: 5,
  NSMakeRange: (location, length) => ({ location, length }),
  NSFileHandle: {
    fileHandleWithStandardInput: files[0], fileHandleWithStandardOutput: files[1], fileHandleWithStandardError: files[2],
  },
  NSData: { get data() { return data(''); }, dataWithData: other => data(other[BYTES]), ...allocated('NSData', () => data('')) },
  NSMutableData: {
    get data() { return new NSMutableData(''); }, dataWithData: other => new NSMutableData(other[BYTES]),
    ...allocated('NSMutableData', () => new NSMutableData('')),
  },
  NSString: {
    string: string(''), stringWithString: text => string(String(plain(text))), stringWithUTF8String: text => string(String(text)),
    alloc: {
      initWithDataEncoding: (bytes, encoding) => {
        const text = encoding in ENCODINGS ? ENCODINGS[encoding][1](bytes[BYTES]) : null;
        return text === null ? nil : string(text);
      },
      initWithUTF8String: text => string(String(text)), initWithString: text => string(String(plain(text))),
    },
  },
  NSNumber: { numberWithInt: number => new NSValue(number), numberWithDouble: number => new NSValue(number) },
  NSArray: { arrayWithArray: wrapped },
  NSDate: { get date() { return { timeIntervalSince1970: call('date') }; } },
  NSThread: { sleepForTimeInterval: seconds => call('delay', seconds) },
  NSProcessInfo: {
    processInfo: {
      get processIdentifier() { return call('pid'); }, get environment() { return wrapped(call('environment')); },
      get arguments() { return wrapped(call('arguments')); }, get systemUptime() { return call('uptime'); },
      get processName() { return string('osascript'); },
    },
  },
};
const running = row => ({
  get processIdentifier() { return row.pid; }, get bundleIdentifier() { return string(row.bundle); },
  get localizedName() { return string(row.name); }, terminated: false, isNil: () => false,
});
// Without a run loop the list stays as it was when it was first asked for (NSWorkspace.h says so).
const applications = once(() => call('applications').map(running));
const array = values => new NSArray(values);
const APPKIT = {
  NSRunningApplication: {
    runningApplicationsWithBundleIdentifier: bundle =>
      array(applications().filter(each => each.bundleIdentifier.js === plain(bundle))),
  },
  NSWorkspace: { sharedWorkspace: { get runningApplications() { return array(applications()); } } },
  NSScreen: {
    get screens() { return array(call('screens')); },
    get mainScreen() { const all = call('screens'); return all.length ? all[0] : nil; },
  },
};
const STDLIB = { getenv: name => call('environment')[name], exit: status => call('exit', status) };
const MODULES = {
  Foundation: FOUNDATION, AppKit: APPKIT, Cocoa: APPKIT, stdlib: STDLIB, unistd: { getpid: () => call('pid') },
};
const dollar = value => wrapped(value);
const bring = library => Object.defineProperties(dollar, Object.getOwnPropertyDescriptors(library));
bring(FOUNDATION);
global.$ = dollar;
global.ObjC = {
  import: name => {
    if (!(name in MODULES)) throw problem(-2700, `Couldn't find the framework or header ${name}`);
    bring(MODULES[name]);
  },
  unwrap: unwrapped, deepUnwrap: deep, wrap: wrapped, dict: value => wrapped(value),
};
global.$.NSNotFound = 9007199254740991;
// Reading an out-parameter that a method filled with an object ends the real program by a segmentation fault.
global.Ref = () => new Proxy({}, { get: (_, key) => typeof key === 'symbol' ? undefined : call('fault') });
global.Path = function Path(path) { return Object.freeze({ toString: () => String(path) }); };
global.delay = seconds => { call('delay', seconds === undefined ? 0 : Number(seconds)); return true; };
global.console = { log: (...given) => call('log', given.map(String).join(' ')) };

// The script itself
const rows = value => Object.entries(value);
const human = value => value === undefined ? '' : value === null ? 'null' : isSpecifier(value) ? show(value[PATH])
  : value instanceof Date ? String(value) : Array.isArray(value) ? value.map(human).join(', ')
  : value instanceof NSObject ? value.isNil() ? '' : human(value.js)
  : typeof value === 'object' ? rows(value).map(([k, v]) => `${k}:${human(v)}`).join(', ') : String(value);
const source = value => value === undefined ? 'undefined' : isSpecifier(value) ? show(value[PATH])
  : Array.isArray(value) ? `[${value.map(source).join(', ')}]`
  : value instanceof NSObject ? source(value.isNil() ? null : value.js)
  : value && typeof value === 'object' && !(value instanceof Date)
    ? `{${rows(value).map(([k, v]) => `${stringify(k)}:${source(v)}`).join(', ')}}`
  : typeof value === 'function' ? String(value) : stringify(value);
global.Automation = { getDisplayString: (value, recompilable) => recompilable ? source(value) : human(value) };
const lineOf = error => {
  if (error.line > 0 && error.line < HERE) return error.line;
  const places = String(error.stack).match(/<input>:\d+/g) || [];
  const own = places.map(place => Number(place.slice(8))).find(line => line < HERE);
  return own === undefined ? null : own;
};
const failure = error => {
  if (!(error instanceof Error)) return { name: '', message: human(error), number: -2700, line: null };
  const number = Number.isInteger(error.errorNumber) ? error.errorNumber : -2700;
  return { name: String(error.name), message: String(error.message), number, line: lineOf(error) };
};
const parses = text => { try { return Boolean(new Function(text)); } catch (error) { return false; } };
const { script, argv, recompilable } = call('script');
try {
  let value = evaluate(`${script}\n`);
  if (typeof global.run === 'function') value = global.run(argv);
  return stringify({ text: recompilable ? source(value) : value === undefined ? null : human(value) });
} catch (error) {
  const facts = failure(error);
  return stringify({ ...facts, syntax: facts.name === 'SyntaxError' && !parses(script) });
}
})(globalThis);
