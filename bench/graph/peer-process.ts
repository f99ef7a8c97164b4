import { residentBytes, type Timing, tell, time } from "./measure.ts";
import type { GraphPeer, TitlePeer } from "./peers/peer.ts";
import { peers } from "./peers/peers.ts";
import {
  checkedPages,
  checkedPairs,
  type Pair,
  pairsAtHubs,
  queryKinds,
  somePages,
  somePairs,
  someQueries,
} from "./queries.ts";
import { makeWorkspace } from "./workspace/workspace.ts";

// Loads a workspace into a peer and asks it the same questions as Clew. Each result is sent at once, because the process may
// be killed before it finishes.
const [name = "", seed = "1", size = "1000"] = process.argv.slice(2);
const entry = peers[name];
if (entry === undefined) throw new Error(`Unknown peer: ${name}`);
const workspace = makeWorkspace(Number(seed), Number(size));
const send = (result: object) => process.send?.(result);
const record = (figure: string, timing: Timing) => send({ timings: { [figure]: timing } });

if (entry.kind === "graph") await measureGraph((await entry.start()).peer);
else await measureTitles((await entry.start()).peer);
tell({ finished: true });

async function load(peer: GraphPeer | TitlePeer): Promise<void> {
  const empty = await residentBytes();
  const began = performance.now();
  await peer.load(workspace);
  const loadMs = performance.now() - began;
  send({ loadMs, memoryBytes: (await residentBytes()) - empty });
}

async function measureGraph(peer: GraphPeer): Promise<void> {
  await load(peer);
  const around = (page: number) => peer.neighbors(page, 50);
  const between = ([from, to]: Pair) => peer.path(from, to);
  const pages = { measured: somePages(workspace, 1), warmUp: somePages(workspace, 2) };
  record("neighbours, 1 step", await time(pages, around));
  const neighbors: number[] = [];
  for (const page of checkedPages(workspace)) neighbors.push(await around(page));
  send({ neighbors });
  const pairs = { measured: somePairs(workspace, 1), warmUp: somePairs(workspace, 2) };
  record("shortest path", await time(pairs, between));
  const atHubs = { measured: pairsAtHubs(workspace, 1), warmUp: pairsAtHubs(workspace, 2) };
  record("shortest path beside hubs", await time(atHubs, between));
  const steps: (number | null)[] = [];
  for (const pair of checkedPairs(workspace)) {
    steps.push(await between(pair));
    send({ steps });
  }
}

async function measureTitles(peer: TitlePeer): Promise<void> {
  await load(peer);
  for (const kind of queryKinds) {
    const queries = { measured: someQueries(workspace, kind, 1), warmUp: someQueries(workspace, kind, 2) };
    let found = 0;
    const timing = await time(queries, (query) => peer.search(query, 20));
    for (const query of queries.measured.slice(0, 20)) found += Number((await peer.search(query, 20)) > 0);
    record(`search: ${kind}`, timing);
    send({ found: { [kind]: found / 20 } });
  }
}
