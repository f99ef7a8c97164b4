import type { Named } from "@clew/contract";

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * A schema of the contract without references to anything outside of it: the messages that it names by `$ref` come along
 * as its `$defs` (JSON Schema 2020-12, section 8.2.4). Whoever reads a tool's schema has no other document to look in.
 */
export function selfContained(schema: object, messages: readonly Named[]): Record<string, unknown> {
  const byName = new Map(messages.map((message) => [message.$id, message]));
  const definitions: Record<string, Json> = {};

  function inlined(part: Json): Json {
    if (Array.isArray(part)) return part.map(inlined);
    if (typeof part !== "object" || part === null) return part;
    const fields = Object.entries(part).filter(([name]) => name !== "$id");
    return Object.fromEntries(
      fields.map(([name, value]) =>
        name === "$ref" && typeof value === "string" ? [name, referred(value)] : [name, inlined(value)],
      ),
    );
  }

  function referred(name: string): string {
    const message = byName.get(name);
    if (message === undefined) throw new Error(`The contract has no message ${name}.`);
    if (!(name in definitions)) {
      // Before it is inlined, which may come by it again.
      definitions[name] = {};
      definitions[name] = inlined(plain(message));
    }
    return `#/$defs/${name}`;
  }

  const whole = inlined(plain(schema)) as Record<string, unknown>;
  return Object.keys(definitions).length === 0 ? whole : { ...whole, $defs: definitions };
}

/** A schema as it is written, without what its library keeps with it. */
const plain = (schema: object): Json => JSON.parse(JSON.stringify(schema));
