/** Puts the content program into a document, once: the worker then calls `trailcamAgent.run`. */
import { Agent } from "./agent.js";

if (!globalThis.trailcamAgent) globalThis.trailcamAgent = new Agent();
