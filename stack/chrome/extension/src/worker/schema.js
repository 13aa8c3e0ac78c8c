/**
 * Says whether a value is what the published schema (protocol.json) asks for. The part of JSON Schema that the protocol
 * uses, and no more: an unknown keyword in the schema is an error when the worker starts, never a check that is not made.
 */
import protocol from "../../../protocol.json";

const KNOWN = new Set(["$ref", "additionalProperties", "anyOf", "const", "enum", "items", "maxItems", "maxLength", "maximum", "minItems",
  "minLength", "minimum", "pattern", "properties", "required", "type"]);

export const BOUNDS = protocol.bounds;
export const VERBS = protocol.verbs;
export const HOST_NAME = protocol.host_name;
export const PROTOCOL = protocol.protocol;

const TYPES = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray, string: (value) => typeof value === "string", boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number" && Number.isFinite(value), integer: Number.isInteger, null: (value) => value === null,
};

/** Keyword -> whether a value breaks it. */
const BROKEN = {
  const: (value, wanted) => value !== wanted,
  enum: (value, wanted) => !wanted.includes(value),
  maxLength: (value, most) => typeof value === "string" && value.length > most,
  minLength: (value, least) => typeof value === "string" && value.length < least,
  maximum: (value, most) => typeof value === "number" && value > most,
  minimum: (value, least) => typeof value === "number" && value < least,
  maxItems: (value, most) => Array.isArray(value) && value.length > most,
  minItems: (value, least) => Array.isArray(value) && value.length < least,
  pattern: (value, pattern) => typeof value === "string" && !new RegExp(pattern).test(value),
  type: (value, name) => !TYPES[name](value),
};

/** Where a value breaks a schema, as a path; null where it fits. @param {any} schema @param {any} value @param {string} [at] */
export function fault(schema, value, at = "") {
  if (schema.$ref) return fault(definition(schema.$ref), value, at);
  for (const [keyword, setting] of Object.entries(schema)) {
    if (!KNOWN.has(keyword)) throw new Error(`the schema has ${keyword}, which is not checked`);
    if (BROKEN[keyword]?.(value, setting)) return at || "/";
  }
  if (schema.anyOf && schema.anyOf.every((each) => fault(each, value, at) !== null)) return at || "/";
  return TYPES.object(value) ? faultOfObject(schema, value, at) : Array.isArray(value) && schema.items ? faultOfList(schema.items, value, at) : null;
}

function faultOfObject(schema, value, at) {
  const missing = (schema.required ?? []).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at}/${missing}`;
  for (const [name, inner] of Object.entries(value)) {
    const known = schema.properties && Object.hasOwn(schema.properties, name);
    if (!known && schema.additionalProperties === false) return `${at}/${name}`;
    const found = known ? fault(schema.properties[name], inner, `${at}/${name}`) : null;
    if (found !== null) return found;
  }
  return null;
}

function faultOfList(items, value, at) {
  for (const [index, each] of value.entries()) {
    const found = fault(items, each, `${at}/${index}`);
    if (found !== null) return found;
  }
  return null;
}

/** @param {string} name  a name in $defs, or a reference to one */
export function definition(name) {
  const found = protocol.$defs[name.replace("#/$defs/", "")];
  if (!found) throw new Error(`the schema has no ${name}`);
  return found;
}

/** The definition that a message fits; null where it fits none. @param {"to_host"|"to_extension"} way @param {any} message */
export function kindOf(way, message) {
  return protocol[way].find((name) => fault(definition(name), message) === null) ?? null;
}
