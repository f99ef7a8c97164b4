import type { Named } from "@clew/contract";
import type { Json } from "../model/node.ts";

/**
 * A schema of the contract without external references: the messages that it names by `$ref` are included
 * as its `$defs` (JSON Schema 2020-12, section 8.2.4). Agents that read a tool's schema have no other document.
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
      // Before it is inlined, because it may refer to itself.
      definitions[name] = {};
      definitions[name] = inlined(plain(message));
    }
    return `#/$defs/${name}`;
  }

  const whole = inlined(plain(schema)) as Record<string, unknown>;
  return Object.keys(definitions).length === 0 ? whole : { ...whole, $defs: definitions };
}

/** A schema as plain JSON, without the library's own properties. */
const plain = (schema: object): Json => JSON.parse(JSON.stringify(schema));
