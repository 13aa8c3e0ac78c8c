/** Answers questions about parts of the worker that need no browser, for test_parts.py: one JSON array in, one out. */
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [root, questions] = JSON.parse(readFileSync(0, "utf-8"));
const { build } = createRequire(`${root}/build/extension-tools/package.json`)("esbuild");
const source = `export * from "${root}/stack/chrome/extension/src/worker/schema.js";
export * from "${root}/stack/chrome/extension/src/worker/port.js";
export * from "${root}/stack/chrome/extension/src/worker/sites.js";
export * from "${root}/stack/chrome/extension/src/worker/failure.js";
export * from "${root}/stack/chrome/extension/src/worker/injection.js";
export * from "${root}/stack/chrome/extension/src/worker/window.js";`;
const made = await build({ stdin: { contents: source, resolveDir: root }, bundle: true, write: false, format: "esm" });
const parts = await import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].contents).toString("base64")}`);
const ASK = {
  backoff: (failures) => parts.backoff(failures),
  fault: (name, value) => parts.fault(parts.definition(name), value),
  plain: (schema, value) => {
    try {
      return parts.fault(schema, value);
    } catch (error) {
      return `error: ${error.message}`;
    }
  },
  kind: (way, message) => parts.kindOf(way, message),
  refusal: (url, files) => parts.refusal(url, files),
  pattern: (url) => parts.pattern(url),
  meant: (text) => parts.meant(new Error(text)).reason,
  window: (sender) => {
    globalThis.chrome = { runtime: { id: "me", getURL: (path) => `chrome-extension://me/${path}` } };
    return parts.isOwnWindow(sender);
  },
};
console.log(JSON.stringify(questions.map(([name, ...rest]) => ASK[name](...rest))));
