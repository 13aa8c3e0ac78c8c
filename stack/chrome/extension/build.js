/**
 * Builds the extension: `node build.js` writes build/extension/unpacked and build/extension/trailcam.zip below the
 * checkout's root, each time the same bytes; `node build.js GOAL SOURCE` does it for other folders. `node build.js
 * --content FILE SOURCE` writes the content program alone, with its parts named, for tests that look at them one by one.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

const HERE = dirname(fileURLToPath(import.meta.url));
const SOURCE = join(HERE, "src");
const BUILD = join(HERE, "..", "..", "..", "build");
const GOAL = join(BUILD, "extension");
/** Where `npm ci` put what this needs (package-lock.json says what): outside the source tree. */
const require = createRequire(join(BUILD, "extension-tools", "package.json"));
const { roles } = require("aria-query");
const { build } = require("esbuild");
const BUNDLES = { "worker.js": "worker/main.js", "content.js": "content/main.js", "popup.js": "popup/popup.js" };
const COPIED = { "popup.html": "popup/popup.html", "popup.css": "popup/popup.css" };

/** The part of aria-query that the content program needs, as a module: its own tables are a hundred times that. */
const ARIA = {
  name: "aria",
  setup(plugin) {
    plugin.onResolve({ filter: /^virtual:aria$/ }, () => ({ path: "aria", namespace: "aria" }));
    plugin.onLoad({ filter: /.*/, namespace: "aria" }, () => ({ contents: ariaModule(), loader: "js" }));
  },
};

function ariaModule() {
  const real = [...roles.entries()].filter(([, about]) => !about.abstract);
  const having = (word) => real.filter(([, about]) => about.nameFrom.includes(word)).map(([name]) => name);
  const sets = {
    ROLES: [...real.map(([name]) => name), "image", "suggestion", "comment"],
    FROM_CONTENTS: having("contents"),
    PRESENTATIONAL_CHILDREN: real.filter(([, about]) => about.childrenPresentational).map(([name]) => name),
  };
  return Object.entries(sets).map(([name, list]) => `export const ${name} = new Set(${JSON.stringify([...new Set(list)].sort())});`).join("\n");
}

async function bundle(entry, source = SOURCE) {
  const made = await build({
    entryPoints: [join(source, entry)], bundle: true, write: false, format: "iife", target: "chrome120", charset: "ascii",
    legalComments: "none", plugins: [ARIA], logLevel: "warning",
  });
  return Buffer.from(made.outputFiles[0].contents);
}

/** Files by name: what the extension consists of. */
export async function files(source) {
  const found = { "manifest.json": readFileSync(join(source, "manifest.json")) };
  for (const [name, entry] of Object.entries(BUNDLES)) found[name] = await bundle(entry, source);
  for (const [name, path] of Object.entries(COPIED)) found[name] = readFileSync(join(source, path));
  return found;
}

const CRC = Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** A zip with sorted names and no dates but the first that the format has. */
export function zip(entries) {
  const local = [];
  const central = [];
  let offset = 0;
  for (const name of Object.keys(entries).sort()) {
    const plain = entries[name];
    const packed = deflateRawSync(plain, { level: 9 });
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt16LE(0x21, 8);
    head.writeUInt32LE(crc32(plain), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(plain.length, 18);
    head.writeUInt16LE(name.length, 22);
    local.push(Buffer.from("PK\x03\x04", "latin1"), head, Buffer.from(name), packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), head, rest, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

async function main(argv) {
  if (argv[0] === "--content") {
    writeFileSync(argv[1], await bundle("content/parts.js", argv[2]));
    return;
  }
  const [goal = GOAL, source = SOURCE] = argv;
  const made = await files(source);
  rmSync(join(goal, "unpacked"), { recursive: true, force: true });
  mkdirSync(join(goal, "unpacked"), { recursive: true });
  for (const [name, bytes] of Object.entries(made)) writeFileSync(join(goal, "unpacked", name), bytes);
  const packed = zip(made);
  writeFileSync(join(goal, "trailcam.zip"), packed);
  console.log(`${createHash("sha256").update(packed).digest("hex")}  trailcam.zip`);
}

await main(process.argv.slice(2));
