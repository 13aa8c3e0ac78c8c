/**
 * What one frame was told and another repeats. Frames of several sites can't look into each other, so each says of its
 * secret fields how long their values are, with a digest of each, and every frame is given what all have said: it finds
 * such a value in its own texts, and nobody has been told it. A digest is good for one request, and has 32 bits: enough to
 * find a value, and too few to tell a long one.
 */
import { Failure, share } from "./failure.js";
import { BOUNDS } from "./schema.js";

/** How long a frame may take, in ms. One that does not answer is not read either. */
const MARKS_MS = 500;
const MOST = 1024;

/** @param {(import("./frames.js").Place & {broken?: boolean})[]} places  of one tab @param {import("./injection.js").Injection} injection @param {import("./failure.js").Deadline} deadline */
export async function marksOf(places, injection, deadline) {
  const key = crypto.getRandomValues(new Uint32Array(1))[0] | 1;
  const rows = new Map();
  for (const place of places.length > 1 ? places.slice(0, BOUNDS.frames) : []) {
    for (const row of await ofFrame(place, key, injection, share(deadline, MARKS_MS))) rows.set(row.join(), row);
  }
  // Of two forms of one value the longer is looked for first.
  return { key, rows: [...rows.values()].sort(([one], [other]) => other - one).slice(0, MOST) };
}

/** @param {import("./frames.js").Place} place @param {number} key */
async function ofFrame(place, key, injection, deadline) {
  try {
    return (await injection.ask(place, { operation: "marks", key }, deadline, { install: true })).marks;
  } catch (error) {
    if (!(error instanceof Failure) || error.reason === "cancelled") throw error;
    return [];
  }
}
