/**
 * What one frame was told and another repeats. Frames of several sites can't look into each other, so each says of its
 * secret fields how long their values are, with a digest of each, and every frame is given what all have said: it finds
 * such a value in its own texts, and nobody has been told it. A digest is good for one request, and has 32 bits: enough to
 * find a value, and too few to tell a long one. A frame that does not say it is not read: nobody could know what of it
 * the others repeat.
 */
import { Failure, share } from "./failure.js";
import { BOUNDS } from "./schema.js";

const MOST = 1024;

/**
 * What the frames of one tab hold, and why those that do not say it don't: document -> failure.
 * @param {(import("./frames.js").Place & {broken?: boolean})[]} places @param {import("./injection.js").Injection} injection @param {import("./failure.js").Deadline} deadline
 */
export async function marksOf(places, injection, deadline) {
  const key = crypto.getRandomValues(new Uint32Array(1))[0] | 1;
  const rows = new Map();
  /** @type {Map<string, Failure>} */
  const silent = new Map();
  for (const place of places.length > 1 ? places.slice(0, BOUNDS.frames) : []) {
    try {
      const said = await injection.ask(place, { operation: "marks", key }, share(deadline), { install: true });
      for (const row of said.marks) rows.set(row.join(), row);
    } catch (error) {
      if (!(error instanceof Failure) || error.reason === "cancelled") throw error;
      silent.set(place.documentId, error);
    }
  }
  // Of two forms of one value the longer is looked for first.
  return { marks: { key, rows: [...rows.values()].sort(([one], [other]) => other - one).slice(0, MOST) }, silent };
}
