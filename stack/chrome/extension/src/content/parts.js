/** The content program's parts by name, for tests that ask them about single elements of a page. No part of the package. */
import { Agent } from "./agent.js";
import { freshen } from "./memory.js";
import { Names } from "./names.js";
import { role } from "./roles.js";
import { Snapshot } from "./snapshot.js";
import { Look } from "./tree.js";

globalThis.trailcamParts = {
  /** Milliseconds that a snapshot takes, and the number of its nodes. */
  timed: (bounds) => {
    freshen();
    const start = performance.now();
    const { nodes } = new Snapshot({ frame_id: 0, ancestry: [0] }, bounds).take();
    return [performance.now() - start, nodes.length];
  },
  agent: () => new Agent(),
  role: (element) => (freshen(), role(element)),
  name: (element) => (freshen(), new Names(new Look(), () => false).name(element)),
  description: (element) => {
    const names = new Names(new Look(), () => false);
    return names.description(element, names.name(element));
  },
};
