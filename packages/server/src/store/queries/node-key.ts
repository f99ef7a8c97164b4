import type { NodeId } from "@clew/graph";

/** A node id as the store keeps it: the 16 bytes of the UUID instead of 36 characters. */
export function nodeKey(id: NodeId): Uint8Array {
  const key = Buffer.from(id.replaceAll("-", ""), "hex");
  if (key.length !== 16) throw new TypeError(`Not a node id: ${JSON.stringify(id)}`);
  return key;
}

/** The node id of 16 stored bytes: a lower-case UUID with dashes. */
export function nodeIdOf(key: Uint8Array): NodeId {
  const hex = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
