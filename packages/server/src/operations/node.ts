import type { NodeDetail } from "@clew/contract";
import { willRepeat } from "../http/repeated.ts";
import { type Awaitable, whenThere } from "../model/awaitable.ts";
import { presentNodeDetail } from "../present/node-detail.ts";
import { readNodeDetail } from "../store/graph-reading.ts";
import { type Asking, graphsFor } from "./asking.ts";
import { nodeAmong, nodeNotFound, readNodeId } from "./node-ids.ts";

/** One node in detail (GRAPH-4). */
export function node(asking: Asking, about: { readonly id: string }): Awaitable<NodeDetail> {
  const { database } = asking.reading;
  const id = readNodeId(about.id);
  return whenThere(graphsFor(asking), (readable) => {
    const placed = nodeAmong(readable, id);
    const { connection, edition } = placed.source;
    // The answer is the same until something is committed or another graph is published.
    const answer = database.memory.remember(`node ${connection.id} ${edition} ${id}`, async () => {
      const detail = await readNodeDetail(database.read, connection.id, id);
      return detail && willRepeat(presentNodeDetail(placed, detail));
    });
    return whenThere(answer, (message) => {
      // A sync may have removed the node since its graph was published.
      if (message === null) throw nodeNotFound(id);
      return message;
    });
  });
}
