import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Workspace } from "@clew/folder";
import { hashToken } from "../oauth/grants.ts";
import type { Grant, State } from "../oauth/state-file.ts";
import { buildStandIn, type ListenOptions, type StandIn, type StandInOptions } from "../stand-in.ts";
import { createFaults, type Faults } from "./faults.ts";
import { injectFaults } from "./inject-faults.ts";
import { logRequests, type RequestLog } from "./request-log.ts";

/** A stand-in that fails on request and records what it is asked. */
export interface TestStandIn extends StandIn, Omit<RequestLog, "reset"> {
  /** The faults to inject; none at first. */
  readonly faults: Faults;
  /** Forgets the calls and requests so far. */
  resetCalls(): void;
  /** Reads the folder again. */
  reload(): Promise<Workspace>;
  /** Changes what a grant shares. `bot` is its bot id or an access token. Throws if there is no such grant. */
  share(bot: string, sharedIds: readonly string[]): Promise<void>;
  /** Ends a grant with all its tokens, as a user does who disconnects the client. Throws as `share` does. */
  withdraw(bot: string): Promise<void>;
  /** Expires all access tokens, or those of one grant. Refresh tokens stay valid. Throws as `share` does. */
  expireAccessTokens(bot?: string): Promise<void>;
}

type OptionsWithDefault = "stateFile" | "clock" | "random";

/** The options of a stand-in. Without others it listens on a free port of this machine, without rate limit or state file. */
export interface TestStandInOptions
  extends Omit<StandInOptions, OptionsWithDefault>,
    Partial<Pick<StandInOptions, OptionsWithDefault>>,
    Partial<ListenOptions> {
  /** Whether `requests()` records requests; not by default. */
  readonly recordRequests?: boolean;
  /** The wait of a `latency` fault; a timer by default. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** Serves a folder of Markdown as a Notion workspace for tests and benches. */
export async function startTestStandIn(options: TestStandInOptions): Promise<TestStandIn> {
  const { app, standIn } = await buildTestStandIn(options);
  const url = await app.listen({ host: options.host ?? "127.0.0.1", port: options.port ?? 0 });
  return { ...standIn, url };
}

/** Builds such a stand-in, which does not listen yet: its `fetch` calls it. */
export async function buildTestStandIn(options: TestStandInOptions) {
  const sleep = options.sleep ?? ((milliseconds) => setTimeout(milliseconds, undefined, { ref: false }));
  const { app, standIn, extension } = await buildStandIn(
    { stateFile: null, clock: Date.now, random: randomBytes, rateLimit: 0, ...options },
    (parts) => {
      const { reset, ...log } = logRequests(parts, options.recordRequests ?? false);
      const { control, draw } = createFaults(parts.workspace);
      const grants = controlGrants(parts.state);
      injectFaults({ ...parts, draw, sleep, withdraw: grants.withdraw });
      return { ...log, ...grants, resetCalls: reset, faults: control, reload: parts.reload };
    },
  );
  return { app, standIn: { ...standIn, ...extension } };
}

function controlGrants({
  grants,
  save,
}: State): Pick<TestStandIn, "share" | "withdraw" | "expireAccessTokens"> {
  const grantOf = (bot: string): Grant => {
    const byToken = ({ tokens }: Grant) => tokens.some(({ access }) => access === hashToken(bot));
    const grant = grants.get(bot) ?? [...grants.values()].find(byToken);
    if (grant === undefined) throw new Error("there is no such grant");
    return grant;
  };
  return {
    async share(bot, sharedIds) {
      const grant = grantOf(bot);
      grants.set(grant.botId, { ...grant, sharedIds });
      await save();
    },
    async withdraw(bot) {
      grants.delete(grantOf(bot).botId);
      await save();
    },
    async expireAccessTokens(bot) {
      for (const grant of bot === undefined ? [...grants.values()] : [grantOf(bot)])
        grants.set(grant.botId, { ...grant, tokens: grant.tokens.map((pair) => ({ ...pair, access: "" })) });
      await save();
    },
  };
}
