import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@clew/client";
import { seededRandom } from "@clew/stand-in/testing/random";
import { freePort, withoutSettings } from "../support/clew-process.ts";
import { writeLinkedPages } from "../support/markdown-folder.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";
import type { Stage } from "../support/stage.ts";
import { startChores } from "./chores.ts";
import { type Place, type Quantity, quantityNames, readGauges } from "./gauges.ts";
import { Load } from "./load.ts";
import { questionsAbout } from "./mix.ts";
import type { Sample } from "./slopes.ts";

/** One run under load. */
export interface Plan {
  readonly seed: number;
  /** The load as a share of the ceiling, 1 being all of it. */
  readonly share: number;
  readonly instances: number;
  /** The PostgreSQL that the instances share; null for SQLite, which one instance has for itself. */
  readonly databaseUrl: string | null;
  readonly pages: number;
  /** How long the ceiling is measured with each number of clients. */
  readonly ceilingMs: number;
  /** How long the load stays before anything is compared: caches fill, code is compiled. */
  readonly warmUpMs: number;
  readonly measuredMs: number;
  readonly sampleMs: number;
  /** Whether each request leaves a kilobyte that is never freed. */
  readonly leaks: boolean;
  readonly report?: (line: string) => void;
}

/** The samples of a run: the quantities of the instances, and the milliseconds of the answers. */
export type Series = ReadonlyMap<Quantity | "p50" | "p99", readonly Sample[]>;

export interface Outcome {
  /** Answers in a second at most, when clients ask as fast as they are answered and hardly any is refused. */
  readonly ceiling: number;
  readonly served: number;
  readonly refused: number;
  readonly unsent: number;
  readonly wrong: Readonly<Record<string, number>>;
  readonly chores: Readonly<Record<string, number>>;
  readonly series: Series;
}

/** Clients that ask at first. */
const fewestClients = 8;
/** Half of the connections of the load, which is to exceed the ceiling. */
const mostClients = 128;
/** The largest share of refusals at the ceiling: beyond it Clew serves more of the quick questions, and refuses the slow ones. */
const mostRefused = 0.01;

/** Measures the answers in a second, and doubles the clients until that brings hardly more, or Clew refuses some of them. */
async function ceilingOf(load: Load, milliseconds: number): Promise<number> {
  // Code is compiled meanwhile.
  await load.closedLoop(fewestClients, milliseconds);
  let ceiling = 0;
  for (let clients = fewestClients; clients <= mostClients; clients *= 2) {
    const { perSecond, refused } = await load.closedLoop(clients, milliseconds);
    if (refused > mostRefused) break;
    const isMore = perSecond > 1.05 * ceiling;
    ceiling = Math.max(ceiling, perSecond);
    if (!isMore) break;
  }
  if (ceiling === 0) throw new Error(`Clew refuses questions of ${fewestClients} clients`);
  return ceiling;
}

/** Measures the ceiling, then keeps a share of it coming at random times while gauges are read. */
export async function runSoak(stage: Stage, plan: Plan): Promise<Outcome> {
  const { seed, share, report = () => {} } = plan;
  const random = seededRandom(seed);
  const { service, places } = await startService(stage, plan);
  const draw = await questionsAbout(service.client, random);
  const load = new Load(service.ports, service.token, draw);
  stage.defer(async () => load.close());
  const ceiling = await ceilingOf(load, plan.ceilingMs);
  report(
    `ceiling: ${Math.round(ceiling)} answers a second; ${Math.round(ceiling * share)} questions a second from now on`,
  );

  const stop = new AbortController();
  const chores = startChores(service, stop.signal);
  const questions = load.openLoop(ceiling * share, random, stop.signal);
  const broken = Promise.all([chores.running, questions]).then(
    () => null,
    (error: unknown) => error,
  );
  const pause = async (milliseconds: number) => {
    const fault = await Promise.race([broken, sleep(milliseconds, null)]);
    if (fault !== null) throw fault;
  };
  const series = new Map<Quantity | "p50" | "p99", Sample[]>();
  const keep = (name: Quantity | "p50" | "p99", at: number, value: number | undefined) => {
    if (value === undefined) return;
    series.set(name, [...(series.get(name) ?? []), { at, value }]);
  };
  const totals = { served: 0, refused: 0, unsent: 0 };
  const wrong: Record<string, number> = {};
  try {
    await pause(plan.warmUpMs);
    const discarded = load.takeCounts();
    for (const [what, count] of discarded.wrong) wrong[what] = count;
    const start = performance.now();
    while (performance.now() - start < plan.measuredMs) {
      await pause(plan.sampleMs);
      const at = (performance.now() - start) / 1000;
      const counts = load.takeCounts();
      totals.served += counts.served;
      totals.refused += counts.refused;
      totals.unsent += counts.unsent;
      for (const [what, count] of counts.wrong) wrong[what] = (wrong[what] ?? 0) + count;
      const times = counts.times.sort((left, right) => left - right);
      const percentile = (p: number) => times[Math.floor(times.length * p)];
      const reading = await readGauges(places, plan.databaseUrl);
      for (const name of quantityNames) keep(name, at, reading[name]);
      keep("p50", at, percentile(0.5));
      keep("p99", at, percentile(0.99));
    }
  } finally {
    stop.abort();
    await broken;
  }
  const fault = await broken;
  if (fault !== null) throw fault;
  return { ceiling, ...totals, wrong, chores: chores.counts, series };
}

/** Starts the instances on a folder of linked pages, and signs in. */
async function startService(stage: Stage, { instances, databaseUrl, pages: count, leaks }: Plan) {
  const pages = join(stage.folder, "pages");
  await writeLinkedPages(pages, count);
  const notion = await startNotion(stage, pages, { followFolder: false, rateLimit: 1_000_000 });
  const ports = await Promise.all(Array.from({ length: instances }, freePort));
  const leak = `--import=${new URL("leak.ts", import.meta.url).href}`;
  const shared = {
    ...settingsFor(notion),
    PUBLIC_URL: `http://localhost:${ports[0]}`,
    LOG_LEVEL: "error",
    ...(databaseUrl === null
      ? {}
      : { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: randomBytes(32).toString("base64") }),
    ...(leaks ? { NODE_OPTIONS: `${withoutSettings.NODE_OPTIONS ?? ""} ${leak}` } : {}),
  };
  const places = await Promise.all(
    ports.map(async (port, index): Promise<Place> => {
      const metricsPort = await freePort();
      const dataDir = join(stage.folder, `data-${index}`);
      const own = { PORT: String(port), METRICS_PORT: String(metricsPort), DATA_DIR: dataDir };
      const { pid } = await stage.start({ ...shared, ...own });
      return { pid, metricsPort, dataDir };
    }),
  );
  const url = new URL(`http://localhost:${ports[0]}/`);
  const session = await signIn(url);
  await waitForSync(url, session);
  const { token } = await createToken(url, session, "soak");
  return { places, service: { url, token, ports, notion, pages, client: tokenClient(url, token) } };
}

const tokenClient = (url: URL, token: string) => createClient({ url, token, retries: 0 });
