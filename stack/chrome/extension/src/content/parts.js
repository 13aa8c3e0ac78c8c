/**
 * The content program's parts by name, for tests that ask them about single elements of a page, and the worker's; what
 * begins when it is loaded, the whole worker and the window, is a function that loads it. No part of the package.
 */
import { Agent } from "./agent.js";
import { freshen } from "./memory.js";
import { Names } from "./names.js";
import { role } from "./roles.js";
import { Snapshot } from "./snapshot.js";
import { Look } from "./tree.js";
import * as actions from "../worker/actions.js";
import * as failure from "../worker/failure.js";
import * as frames from "../worker/frames.js";
import * as injection from "../worker/injection.js";
import * as navigations from "../worker/navigations.js";
import * as port from "../worker/port.js";
import * as requests from "../worker/requests.js";
import * as schema from "../worker/schema.js";
import * as secrets from "../worker/secrets.js";
import * as sites from "../worker/sites.js";
import * as snapshots from "../worker/snapshots.js";
import * as targets from "../worker/targets.js";
import * as ownWindow from "../worker/window.js";

globalThis.trailcamWorker = {
  ...actions, ...failure, ...frames, ...injection, ...navigations, ...port, ...requests, ...schema, ...secrets, ...sites, ...snapshots, ...targets,
  ...ownWindow, main: () => import("../worker/main.js"), popup: () => import("../popup/popup.js"),
};
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
