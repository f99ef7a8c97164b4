import { closed, Problem, ref, SignInStatus } from "@clew/contract";
import { optionalSession } from "../../auth/gate.ts";
import { originOf } from "../../auth/origin.ts";
import type { Sessions } from "../../auth/sessions.ts";
import { beginSignIn } from "../../auth/sign-in/begin.ts";
import { parseCookies } from "../../auth/sign-in/cookies.ts";
import { finishSignIn } from "../../auth/sign-in/finish.ts";
import type { Config } from "../../config/config.ts";
import { type Limits, limitSignIn } from "../../http/limits/limits.ts";
import type { App } from "../../http/server.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import { presentSignInStatus } from "../../present/workspace.ts";
import type { Provider } from "../../provider/port.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Database } from "../../store/port.ts";
import { allowedConnections } from "../../store/queries/allowed-connections.ts";
import { codeRoutes } from "./code.ts";
import { redirectFailure } from "./failure-redirect.ts";
import { providerPatience, redirect } from "./redirect.ts";

interface Parts {
  readonly config: Pick<Config, "publicUrl" | "dashboardUrl" | "allowed">;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly provider: Provider;
  readonly sessions: Sessions;
  /** Queues syncs in the background. */
  readonly sync: { request(connectionId: number): void };
  readonly limits: Pick<Limits, "signIn">;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** `/api/integrations/auth/provider`: signing in through the workspace's provider (SIGN-1 to SIGN-7). */
export async function signInRoutes(app: App, parts: Parts): Promise<void> {
  const { config, database, provider, sessions, limits } = parts;
  const step = {
    config: { access: { kind: "open", limit: "own" } },
    onRequest: limitSignIn(limits),
    errorHandler: redirectFailure(config.dashboardUrl),
  } as const;

  app.get(
    "/",
    { ...step, schema: { summary: "Begins a sign-in: redirects to the provider's consent screen" } },
    async (request, reply) => redirect(reply, await beginSignIn(parts, parseCookies(request.headers.cookie))),
  );

  app.get(
    "/callback",
    {
      ...step,
      // HEAD must have no effect (RFC 9110, section 9.2.1), and this would use up the state.
      exposeHeadRoute: false,
      schema: { summary: "Where the provider sends people back to: redirects to the dashboard" },
    },
    async (request, reply) => {
      const { query, headers, log } = request;
      const cookies = parseCookies(headers.cookie);
      const callback = { query, cookies, origin: originOf(request) };
      const signal = AbortSignal.timeout(providerPatience);
      return redirect(reply, await finishSignIn({ ...parts, log }, callback, signal));
    },
  );

  if (provider.asksForCode) await app.register((scope) => codeRoutes(scope, parts));

  app.get(
    "/status",
    {
      config: { access: { kind: "open" } },
      schema: {
        summary: "Whether and where people sign in, and the caller's workspaces",
        querystring: closed({}),
        response: { 200: ref(SignInStatus), default: ref(Problem) },
      },
    },
    async (request) => {
      const caller = await optionalSession(request, sessions);
      const connections = caller && (await allowedConnections(database.read, config.allowed, caller.userId));
      return presentSignInStatus(provider, connections);
    },
  );
}
