/** From a request to its one response: checked against the schema, bounded in number and time, and checked again. */
import { Deadline, Failure } from "./failure.js";
import { BOUNDS, VERBS, definition, fault } from "./schema.js";

export class Requests {
  /** @param {Record<string, (params: any, deadline: Deadline) => Promise<any>>} verbs */
  constructor(verbs) {
    this.verbs = verbs;
    /** @type {Map<string, Deadline>} */
    this.running = new Map();
  }

  /** Cancel everything: the host that asked is gone. */
  end() {
    for (const deadline of this.running.values()) deadline.cancel();
  }

  /** @param {any} params  whose id is that of the request to cancel */
  cancel(params) {
    const deadline = this.running.get(params.id);
    deadline?.cancel();
    return { cancelled: deadline !== undefined };
  }

  /** @param {any} message  a request that fits the schema's `request` @returns {Promise<any>} its response; never rejects */
  async answer(message) {
    const envelope = { v: 1, type: "response", id: message.id };
    try {
      return { ...envelope, ok: true, result: await this.perform(message) };
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure("no_result", "the extension failed in a way that is not known");
      if (!(error instanceof Failure)) console.error(error);
      return { ...envelope, ok: false, error: failure.error };
    }
  }

  async perform(message) {
    const { id, verb, params } = message;
    const wrong = fault(definition(VERBS[verb].params), params, "params");
    if (wrong !== null) throw new Failure("invalid_message", `${verb}: ${wrong} does not fit`, { path: wrong.slice(0, 200) });
    if (this.running.has(id)) throw new Failure("invalid_message", "a request with this id is under way", { path: "id" });
    if (this.running.size >= BOUNDS.in_flight) throw new Failure("invalid_message", "too many requests are under way", { path: "id" });
    const deadline = new Deadline(message.deadline_ms);
    this.running.set(id, deadline);
    try {
      const result = await this.verbs[verb](params, deadline);
      if (deadline.cancelled) throw deadline.taken();
      const odd = fault(definition(VERBS[verb].result), result, "result");
      if (odd !== null) throw new Failure("no_result", `the answer to ${verb} does not fit at ${odd}`, { path: odd.slice(0, 200), dispatched: deadline.dispatched });
      return result;
    } finally {
      this.running.delete(id);
    }
  }
}
