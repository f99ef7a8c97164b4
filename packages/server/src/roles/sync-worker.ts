import { randomBytes } from "node:crypto";
import { workerData } from "node:worker_threads";
import { answerCalls, askOwner, lowerPriority, sendNews } from "@clew/threads";
import { pino } from "pino";
import {
  connectDemo,
  connectSources,
  type DemoAnswer,
  type DemoRequest,
} from "../providers/connect-provider.ts";
import { Sources } from "../providers/sources.ts";
import { openSecrets } from "../secrets/open-secrets.ts";
import { watchProviderClock } from "../start-warnings.ts";
import { openDatabase } from "../store/database.ts";
import type { LookOutcome } from "../sync/looks/looks.ts";
import { errorsOf } from "../threads/errors.ts";
import { databaseTasks, startTasks, watchSchema } from "./background.ts";
import { SyncRole } from "./sync-role.ts";
import type { SyncCall, SyncNews, SyncQuestion, SyncThreadData } from "./sync-thread.ts";

// The thread of the role `sync`, beside a main thread that answers requests.

const data = workerData as SyncThreadData;
lowerPriority();
const news = (message: SyncNews) => sendNews(message);
const ask = (question: SyncQuestion) => askOwner(question);

const log = pino({ level: data.logLevel, base: null }, { write: (line) => news({ kind: "log", line }) });
const database = await openDatabase({
  location: data.databaseLocation,
  random: randomBytes,
  ...(data.maxConnections !== null && { maxConnections: data.maxConnections }),
  ...(data.measures && { onPoolWait: (ms: number) => news({ kind: "pool-wait", ms }) }),
});
const secrets = await openSecrets(data, database, randomBytes);
const watching = watchSchema(database);
const tending = startTasks({ database, log }, databaseTasks(database, data));
const role = new SyncRole({
  config: data,
  database,
  sources: connect(),
  secrets,
  graphs: {
    publish: async (connectionId) => void (await ask({ kind: "publish", connectionId })),
    forget: (connectionId) => news({ kind: "removed", connectionId }),
  },
  lists: {
    readingLeft: async (connectionId) => Number(await ask({ kind: "reading-left", connectionId })),
  },
  clock: database.clock,
  random: randomBytes,
  log,
  onEnded: (sync) => news({ kind: "ended", sync }),
  ...(data.measures && { onLooked: (outcome: LookOutcome) => news({ kind: "looked", outcome }) }),
});

function connect(): Sources {
  const onCall = data.measures
    ? (call: Extract<SyncNews, { kind: "provider-call" }>["call"]) => news({ kind: "provider-call", call })
    : undefined;
  const runtime = { clock: Date.now, random: randomBytes };
  const { demo } = data;
  const answer = async (request: DemoRequest) => (await ask({ kind: "call-demo", request })) as DemoAnswer;
  if (demo !== null) return new Sources(connectDemo(demo, answer, { ...runtime, onCall }));
  const connected = connectSources(data.sources, {
    network: {
      ...runtime,
      fetch: watchProviderClock(fetch, { log, clock: Date.now }),
      apiUrl: new URL(data.apiUrl),
    },
    onCall,
    log,
  });
  if (connected === null) throw new Error("The sync thread was given no source.");
  return connected;
}

async function stop(): Promise<void> {
  await Promise.all([role.stop(), tending.stop(), watching.stop()]);
  await database.close();
}

answerCalls(async (call: SyncCall) => {
  switch (call.task) {
    case "poll":
      return role.poll();
    case "abandon":
      return role.abandon(call.connectionId);
    case "stop":
      return stop();
  }
}, errorsOf(database));
role.start();
