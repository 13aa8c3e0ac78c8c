/**
 * The connection to the native host: one fixed name, nothing but a hello before the host's own, and a new attempt after
 * each loss, from half a second doubling to thirty. Separate from what is said over it.
 */
import { HOST_NAME, PROTOCOL, kindOf } from "./schema.js";

export const FIRST_MS = 500;
export const MOST_MS = 30_000;
const HELLO_MS = 5_000;
/** A connection that lasted so long ends a row of failures. */
const LASTED_MS = 5_000;

/** How long to wait before an attempt. @param {number} failures  in a row, from 1 */
export function backoff(failures) {
  return Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
}

export class HostPort {
  /** @param {() => any} hello @param {{request: (message: any) => Promise<any>, changed: () => void, lost: () => void}} on */
  constructor(hello, on) {
    this.hello = hello;
    this.on = on;
    this.failures = 0;
    /** @type {chrome.runtime.Port|null} */
    this.port = null;
    this.open = false;
    this.openedAt = 0;
    this.wanted = false;
    /** Why there is no connection, in a word of the registry. */
    this.reason = "bridge_disconnected";
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  /** Connect now, unless there is a connection. */
  connect() {
    this.wanted = true;
    if (this.port) return;
    clearTimeout(this.timer);
    const port = chrome.runtime.connectNative(HOST_NAME);
    this.port = port;
    this.open = false;
    port.onMessage.addListener((message) => this.received(port, message));
    port.onDisconnect.addListener(() => this.disconnected(port, chrome.runtime.lastError?.message ?? ""));
    this.timer = setTimeout(() => this.refuse(port, "protocol_mismatch"), HELLO_MS);
    port.postMessage(this.hello());
  }

  /** End the connection, and make no new one. */
  disconnect() {
    this.wanted = false;
    clearTimeout(this.timer);
    this.send({ v: 1, type: "event", event: "disconnecting", data: {} });
    this.drop();
    this.on.changed();
  }

  drop() {
    const { port, open } = this;
    this.port = null;
    this.open = false;
    port?.disconnect();
    if (open) this.on.lost();
  }

  /** @param {any} message */
  send(message) {
    if (!this.open || !this.port) return;
    if (kindOf("to_host", message) === null) throw new Error("a message that the schema does not have");
    this.port.postMessage(message);
  }

  received(port, message) {
    if (port !== this.port) return;
    const kind = kindOf("to_extension", message);
    if (!this.open) {
      if (kind === "hello_host" && message.protocol === PROTOCOL) this.opened();
      else this.refuse(port, kind === "refused" ? message.reason : "protocol_mismatch");
      return;
    }
    if (kind === "ping") this.send({ v: 1, type: "pong", n: message.n });
    else if (kind === "request") this.on.request(message).then((response) => port === this.port && this.send(response));
    else if (kind === null && isAnswerable(message)) this.send(invalid(message));
    else if (kind !== "pong") this.refuse(port, "protocol_mismatch");
  }

  opened() {
    clearTimeout(this.timer);
    this.open = true;
    this.openedAt = Date.now();
    this.reason = "";
    this.on.changed();
  }

  refuse(port, reason) {
    if (port !== this.port) return;
    this.drop();
    this.again(reason);
  }

  /** @param {string} text  what the browser says of it */
  disconnected(port, text) {
    if (port !== this.port) return;
    const { open } = this;
    this.port = null;
    this.open = false;
    if (open) this.on.lost();
    this.again(/not found|forbidden|Invalid native/.test(text) ? "native_host_not_registered" : "bridge_disconnected");
  }

  again(reason) {
    this.reason = reason;
    if (this.openedAt && Date.now() - this.openedAt >= LASTED_MS) this.failures = 0;
    this.openedAt = 0;
    this.failures += 1;
    clearTimeout(this.timer);
    if (this.wanted) this.timer = setTimeout(() => this.connect(), backoff(this.failures));
    this.on.changed();
  }
}

/** Whether something that does not fit has an id to answer to. @param {any} message */
function isAnswerable(message) {
  return typeof message === "object" && message !== null && message.type === "request" && typeof message.id === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(message.id);
}

/** @param {any} message */
function invalid(message) {
  return { v: 1, type: "response", id: message.id, ok: false, error: { reason: "invalid_message", message: "the request does not fit the protocol" } };
}
