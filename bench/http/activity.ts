import { cpus, loadavg } from "node:os";
import type { App } from "../../packages/server/src/http/server.ts";
import { type RunningClew, startRunning } from "../../test/support/running-clew.ts";
import { signIn } from "../../test/support/session.ts";
import type { Row } from "./load.ts";
import { sampleRows } from "./targets.ts";

/**
 * Compares the processor time of requests to a Clew that keeps what tokens read (APP-9) with that of one that does not. Both run in this
 * process, without sockets, and get requests in turn, a few at a time: so other work of the machine affects both alike, and what a
 * request costs besides cancels out.
 */
const pairs = Number(process.env.PAIRS ?? 600);
const requestsInTurn = 50;
const wanted = process.env.ONLY?.split(",");

interface Side {
  readonly clew: RunningClew;
  readonly app: App;
  readonly rows: readonly Row[];
}

const [kept, off] = [await start("30"), await start("0")];
try {
  console.log(
    `${cpus()[0]?.model}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${pairs} pairs of ${requestsInTurn} requests\n`,
  );
  console.log("| operation | costs, CPU µs: median | quartiles | mean, with writes |");
  console.log("|---|---:|---:|---:|");
  for (const [index, row] of kept.rows.entries()) {
    const other = off.rows[index];
    const isJudged = row.asked === "new" || row.operation === "node";
    if (other !== undefined && isJudged && (wanted?.includes(row.operation) ?? true))
      console.log(await compare([kept.app, row], [off.app, other]));
  }
} finally {
  await kept.clew.stop();
  await off.clew.stop();
}

async function start(days: string): Promise<Side> {
  const apps: App[] = [];
  const clew = await startRunning({
    env: { ACTIVITY_DAYS: days },
    onServer: (app) => void apps.push(app),
  });
  const [app] = apps;
  if (app === undefined) throw new Error("Clew has no server");
  return { clew, app, rows: await sampleRows(clew.url, await signIn(clew.url)) };
}

/** Microseconds of processor time of each request in a turn that begins with the question `from`. */
async function turn(app: App, { urls, token }: Row, from: number): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const before = process.cpuUsage();
  for (let index = from; index < from + requestsInTurn; index += 1) {
    const { statusCode, body } = await app.inject({ url: urls[index % urls.length] ?? "", headers });
    if (statusCode !== 200) throw new Error(`${urls[index]}: ${body}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requestsInTurn;
}

async function compare(keeping: readonly [App, Row], without: readonly [App, Row]): Promise<string> {
  const costs: number[] = [];
  const warmUp = pairs / 6;
  for (let pair = -warmUp; pair < pairs; pair += 1) {
    const from = (pair + warmUp) * requestsInTurn;
    const [first, second] = pair % 2 === 0 ? [keeping, without] : [without, keeping];
    const one = await turn(...first, from);
    const other = await turn(...second, from);
    if (pair >= 0) costs.push(first === keeping ? one - other : other - one);
  }
  const sorted = costs.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(share * (pairs - 1))] ?? Number.NaN).toFixed(1);
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / pairs;
  return `| ${[keeping[1].operation, at(0.5), `${at(0.25)} to ${at(0.75)}`, mean.toFixed(1)].join(" | ")} |`;
}
