/** A provider's page or database id: a lower-case UUID with dashes. */
export type NodeId = string;

const dashed = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const bare = /^[0-9a-f]{32}$/i;

/** Reads an id written with or without dashes, in either case; null where it is none. */
export function parseNodeId(text: string): NodeId | null {
  if (dashed.test(text)) return text.toLowerCase();
  if (!bare.test(text)) return null;
  const hex = text.toLowerCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
