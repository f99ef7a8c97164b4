import { Writable } from "node:stream";
import type { TestContext } from "node:test";
import { pino } from "pino";
import { registerGate } from "../../auth/gate.ts";
import type { Instance, Stage } from "../../auth/testing/stage.ts";
import { messages } from "../../http/messages.ts";
import { createServer } from "../../http/server.ts";
import { registerWrongMethods } from "../../http/wrong-method.ts";
import { createLimits, type Limits } from "../../limits/limits.ts";
import type { App } from "../app-instance.ts";

interface Options {
  readonly stage: Stage;
  /** The instance that serves; the stage's own unless another is given. */
  readonly instance?: Instance;
  /** Sign-in requests a minute; 0, no limit, unless a test is about it. */
  readonly signInQuota?: number;
  /** Receives every line that is logged, whatever its level. */
  readonly logged: string[];
  readonly routes: (app: App, limits: Limits) => Promise<void>;
}

/** Clew's server as it is, the gate included, with the routes that a test is about. */
export async function serveRoutes(t: TestContext, options: Options): Promise<App> {
  const { stage, logged, signInQuota = 0, routes } = options;
  const { clock } = stage;
  const { database, sessions } = options.instance ?? stage;
  const app = createServer({
    log: pino({ level: "trace" }, linesInto(logged)),
    schemas: messages,
    dashboardOrigin: "https://clew.example",
    trustProxy: false,
  });
  const limits = createLimits({ token: 0, session: 0, signIn: signInQuota, failedAuth: 0 }, clock);
  const closeMethods = registerWrongMethods(app);
  registerGate(app, {
    database,
    sessions,
    limits,
    tokenUse: unrecorded,
    clock,
    provider: { slug: "notion" },
  });
  await app.register((scope) => routes(scope, limits));
  closeMethods();
  t.after(() => app.close());
  return app;
}

/** Writes no time of use: the stage's database closes before the server does. */
const unrecorded = { record: () => {}, flush: async () => {}, close: async () => {} };

function linesInto(lines: string[]): Writable {
  return new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line));
      done();
    },
  });
}
