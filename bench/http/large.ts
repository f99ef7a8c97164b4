import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  hashServiceToken,
  newServiceToken,
  prefixOf,
} from "../../packages/server/src/auth/service-tokens/raw-token.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { insertServiceToken } from "../../packages/server/src/store/service-tokens.ts";
import { queryKinds, somePages, somePairs, someQueries } from "../graph/queries.ts";
import { storeWorkspace } from "../graph/workspace/store.ts";
import { idOf, makeWorkspace, type Workspace } from "../graph/workspace/workspace.ts";
import type { Route } from "./load.ts";

/** A workspace in a data folder, and the service token of the person that it belongs to. */
export interface LargeWorkspace {
  readonly workspace: Workspace;
  readonly token: string;
}

/** Fills the data folder of a Clew that has not started yet with a made-up workspace, as its first sync would leave it. */
export async function fillDataFolder(folder: string, pages: number): Promise<LargeWorkspace> {
  const path = join(folder, "clew.db");
  const workspace = makeWorkspace(1, pages);
  const { userId, workspaceId } = await storeWorkspace(workspace, path, "stand-in");
  const token = newServiceToken(randomBytes);
  const database = await openDatabase({ path });
  await database.transaction((trx) =>
    insertServiceToken(trx, {
      userId,
      name: "bench",
      hash: Buffer.from(hashServiceToken(token), "base64"),
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

/** Different questions for each route. */
const questions = 500;

/** The V1 routes to measure, once Clew has loaded the workspace. */
export async function largeTargets(clew: URL, { workspace, token }: LargeWorkspace): Promise<Route[]> {
  const at = (path: string) => new URL(`api/v1/${path}`, clew).href;
  const began = performance.now();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(at("search/?q=plan"), { headers });
  if (!response.ok) throw new Error(`The first search answered ${response.status}: ${await response.text()}`);
  await response.body?.cancel();
  console.log(`${workspace.size} pages; the first answer took ${Math.round(performance.now() - began)} ms\n`);
  const id = (page: number) => idOf(workspace, page);
  const pages = somePages(workspace, 1).slice(0, questions).map(id);
  const words = queryKinds.flatMap((kind) =>
    someQueries(workspace, kind, 1).slice(0, questions / queryKinds.length),
  );
  const pairs = somePairs(workspace, 1).slice(0, questions);
  return [
    { name: "search", urls: words.map((word) => at(`search/?q=${encodeURIComponent(word)}`)), token },
    { name: "node", urls: pages.map((page) => at(`nodes/${page}/`)), token },
    { name: "neighbors", urls: pages.map((page) => at(`nodes/${page}/neighbors/`)), token },
    { name: "path", urls: pairs.map(([from, to]) => at(`paths/?from=${id(from)}&to=${id(to)}`)), token },
  ];
}
