import { randomBytes } from "node:crypto";
import { createClient } from "@clew/client";
import {
  hashServiceToken,
  newServiceToken,
  prefixOf,
} from "../../packages/server/src/auth/service-tokens.ts";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { insertServiceToken } from "../../packages/server/src/store/queries/service-tokens.ts";
import { queryKinds, somePages, somePairs, someQueries } from "../graph/queries.ts";
import { storeWorkspace } from "../graph/workspace/store.ts";
import { idOf, makeWorkspace, type Workspace } from "../graph/workspace/workspace.ts";
import { type Operation, operations, type Row } from "./load.ts";

/** A stored workspace, and a service token of its owner. */
export interface LargeWorkspace {
  readonly workspace: Workspace;
  readonly token: string;
}

/** Writes a generated workspace into the database of a Clew that has not started, in the state after a first sync. */
export async function fillDatabase(location: DatabaseLocation, pages: number): Promise<LargeWorkspace> {
  const workspace = makeWorkspace(1, pages);
  const { userId, workspaceId } = await storeWorkspace(workspace, location, "stand-in");
  const token = newServiceToken(randomBytes);
  const database = await openDatabase({ location });
  await database.transaction((trx) =>
    insertServiceToken(trx, {
      userId,
      name: "bench",
      hash: hashServiceToken(token),
      prefix: prefixOf(token),
      scopes: ["graph:search", "graph:read", "graph:neighbors"],
      workspaceIds: [workspaceId],
      expiresInDays: null,
      createdAt: Date.now(),
      expiresAt: null,
    }),
  );
  await database.close();
  return { workspace, token };
}

/** Number of different questions in a repeated row. */
const repeatedQuestions = 500;

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * Waits until Clew has loaded the graph, then returns for each operation a row of repeated questions and a row of 12 000
 * different ones.
 */
export async function largeRows(clew: URL, { workspace, token }: LargeWorkspace): Promise<Row[]> {
  const at = (path: string) => new URL(`api/v1/${path}`, clew).href;
  const began = performance.now();
  await createClient({ url: clew, token }).searchPages({ q: "plan" });
  console.log(`${workspace.size} pages; the first answer took ${Math.round(performance.now() - began)} ms\n`);
  const id = (page: number) => idOf(workspace, page);
  const words = queryKinds.map((kind) => someQueries(workspace, kind, 1));
  const pages = seeds.flatMap((seed) => somePages(workspace, seed));
  const pairs = seeds.flatMap((seed) => somePairs(workspace, seed));
  const urls: Readonly<Record<Operation, readonly string[]>> = {
    search: interleaved(words).map((word) => at(`search/?q=${encodeURIComponent(word)}`)),
    node: pages.map((page) => at(`nodes/${id(page)}/`)),
    neighbors: pages.map((page) => at(`nodes/${id(page)}/neighbors/`)),
    paths: pairs.map(([from, to]) => at(`paths/?from=${id(from)}&to=${id(to)}`)),
  };
  return operations.flatMap((operation) => [
    { operation, asked: "repeated", urls: urls[operation].slice(0, repeatedQuestions), token },
    { operation, asked: "new", urls: urls[operation], token },
  ]);
}

/** Alternates the kinds. */
function interleaved(kinds: readonly (readonly string[])[]): string[] {
  const [first = []] = kinds;
  return first.flatMap((_, index) => kinds.flatMap((kind) => kind.slice(index, index + 1)));
}
