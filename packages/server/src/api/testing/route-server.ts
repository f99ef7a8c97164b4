import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { pino } from "pino";
import { ActivityLog } from "../../activity/activity-log.ts";
import { registerActivity } from "../../activity/record-calls.ts";
import { loggedSender, registerGate } from "../../auth/gate.ts";
import type { AuthFixture, Instance } from "../../auth/testing/auth-fixture.ts";
import { createRefusedUse, createTokenUse, type RefusedUse, type TokenUse } from "../../auth/token-use.ts";
import { createLimits, type Limits } from "../../http/limits/rate-limits.ts";
import { type App, createServer } from "../../http/server.ts";
import { registerWrongMethods } from "../../http/wrong-method.ts";
import { generousMs } from "../../model/testing/deadlines.ts";

/** A response: `body` is its JSON, undefined if it has none. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: assertions check the shape
  readonly body: any;
}

/** The services that the gate and routes share. */
interface Shared {
  readonly limits: Limits;
  readonly refusedUse: RefusedUse;
  readonly tokenUse: TokenUse;
  readonly activity: ActivityLog;
}

interface Options {
  readonly fixture: AuthFixture;
  /** The instance that serves; that of the fixture by default. */
  readonly instance?: Instance;
  /** Sign-in requests per minute; by default 0, no limit. */
  readonly signInQuota?: number;
  /** Requests of a service token per minute; by default 0, no limit. */
  readonly tokenQuota?: number;
  /** The days for which calls of service tokens are kept; 30 by default. */
  readonly activityDays?: number;
  /** Receives every line that is logged, whatever its level. */
  readonly logged: string[];
  readonly routes: (app: App, services: Shared) => Promise<void>;
}

/** Clew's server with the gate and the routes under test. */
export async function serveRoutes(options: Options): Promise<App> {
  const { fixture, logged, signInQuota = 0, tokenQuota = 0, routes } = options;
  const { clock } = fixture;
  const { database, sessions, config } = options.instance ?? fixture;
  const app = createServer({
    log: pino({ level: "trace" }, linesInto(logged)),
    isUnavailable: database.isUnavailable,
    publicOrigin: "https://clew.example",
    dashboardOrigin: "https://clew.example",
    senderOf: loggedSender,
    responseTimeoutMs: generousMs,
  });
  const quotas = { token: tokenQuota, session: 0, signIn: signInQuota, failedAuth: 0, open: 0 };
  const limits = createLimits(quotas, clock);
  const closeMethods = registerWrongMethods(app);
  const refusedUse = createRefusedUse({ database, onError: assert.ifError });
  const tokenUse = createTokenUse({ database, clock, onError: assert.ifError });
  registerGate(app, {
    database,
    sessions,
    limits,
    tokenUse,
    refusedUse,
    clock,
    config: { ...config, publicUrl: new URL("https://clew.example"), oauthClients: "open" },
  });
  const activity = new ActivityLog({
    database,
    clock,
    monotonic: clock,
    days: options.activityDays ?? 30,
    onError: assert.ifError,
  });
  registerActivity(app, { activity, clock });
  await app.register((scope) => routes(scope, { limits, refusedUse, tokenUse, activity }));
  closeMethods();
  fixture.atEnd(() => app.close());
  return app;
}

function linesInto(lines: string[]): Writable {
  return new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line));
      done();
    },
  });
}
