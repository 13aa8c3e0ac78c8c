/** A failure with a reason of the registry in protocol.json; everything that the worker refuses is one of these. */
export class Failure extends Error {
  /** @param {string} reason @param {string} message @param {object} [detail] */
  constructor(reason, message, detail = undefined) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }

  get error() {
    const error = { reason: this.reason, message: this.message.slice(0, 1000) };
    return this.detail ? { ...error, detail: this.detail } : error;
  }
}

/** A frame that does not answer holds up the others no longer than this share of the time. */
const SHARE = 0.5;

/**
 * Deadlines: each call of the browser's API ends at its own, because many of them never end (a dialog, a withheld
 * permission, a cached document).
 */
export class Deadline {
  /** @param {number} ms  from now */
  constructor(ms) {
    this.at = Date.now() + ms;
    /** @type {(() => void)|null} */
    this.onCancel = null;
    this.cancelled = false;
    this.dispatched = false;
  }

  get left() {
    return this.at - Date.now();
  }

  cancel() {
    this.cancelled = true;
    this.onCancel?.();
  }

  /** The value of a call, if it comes in time. @template T @param {Promise<T>} call @param {string} what @param {number} [most] ms @returns {Promise<T>} */
  limit(call, what, most = Infinity) {
    if (this.cancelled) throw this.taken();
    return new Promise((resolve, reject) => {
      const end = (act) => (value) => {
        clearTimeout(timer);
        this.onCancel = null;
        act(value);
      };
      const timer = setTimeout(end(reject), Math.max(0, Math.min(this.left, most)), new Failure("timed_out", `${what} did not end in time`, this.detail()));
      this.onCancel = () => end(reject)(this.taken());
      call.then(end(resolve), end(reject));
    });
  }

  taken() {
    return new Failure("cancelled", "the request was taken back", this.detail());
  }

  detail() {
    return { dispatched: this.dispatched };
  }

  /** @param {number} ms */
  pause(ms) {
    return this.limit(new Promise((resolve) => setTimeout(resolve, ms)), "a pause");
  }
}

/** Half of what is left, cancelled with the whole. @param {Deadline} deadline @param {number} [most] ms */
export function share(deadline, most = Infinity) {
  const part = Object.create(deadline);
  Object.defineProperty(part, "at", { value: Date.now() + Math.min(most, deadline.left * SHARE) });
  part.limit = (call, what, least = Infinity) => deadline.limit(call, what, Math.min(least, part.at - Date.now()));
  return part;
}
