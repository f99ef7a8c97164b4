import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { createNotionProvider, createTokenProvider } from "@clew/notion";
import type { SetupGuide } from "@clew/provider";
import { codeUrl } from "../../../auth/sign-in/redirect.ts";
import { type AuthFixture, createAuthFixture } from "../../../auth/testing/auth-fixture.ts";
import type { Config } from "../../../config/config.ts";
import { everybody } from "../../../model/testing/allow-lists.ts";
import { Sources } from "../../../providers/sources.ts";
import { serveRoutes } from "../../testing/route-server.ts";
import { signInRoutes } from "../routes.ts";
import { type Browser, createBrowser } from "./browser.ts";
import { type ProviderServer, serveProvider } from "./provider-server.ts";

export const clientId = "11112222-3333-4444-8555-666677778888";
export const clientSecret = "secret_of_the_client";

const random = (size: number) => new Uint8Array(randomBytes(size));

export interface SignInServer {
  readonly fixture: AuthFixture;
  readonly provider: ProviderServer;
  /** Every line that was logged. */
  readonly logged: readonly string[];
  /** Connections whose sync was requested. */
  readonly synced: readonly number[];
  /** The services of the routes, for a test of one step. */
  readonly services: Omit<Parameters<typeof signInRoutes>[1], "limits">;
  /** A new browser without cookies. */
  browser(): Browser;
}

interface Options extends Partial<Pick<Config, "publicUrl" | "dashboardUrl" | "allowed">> {
  /** Sign-in requests per minute. */
  readonly quota?: number;
  readonly slug?: string;
  readonly setup?: SetupGuide;
  /** A token instead of an OAuth app. */
  readonly token?: string;
  /** The API of another provider than the test's own. */
  readonly apiUrl?: string;
  /** A fixture that another server uses already. */
  readonly fixture?: AuthFixture;
}

/** The sign-in's routes on a real database, with a provider that the test controls. */
export async function serveSignIn(t: TestContext, options: Options = {}): Promise<SignInServer> {
  const publicUrl = options.publicUrl ?? new URL("http://localhost:8420");
  const config = {
    publicUrl,
    dashboardUrl: options.dashboardUrl ?? new URL("/dashboard", publicUrl),
    allowed: options.allowed ?? everybody,
  };
  const fixture = options.fixture ?? (await createAuthFixture(t));
  const { database, secrets, sessions, clock } = fixture;
  const provider = await serveProvider(t);
  const network = {
    apiUrl: options.apiUrl === undefined ? provider.apiUrl : new URL(options.apiUrl),
    fetch,
    clock,
    random,
  };
  const name = {
    slug: options.slug ?? "notion",
    aliases: [],
    name: "Notion",
    standIn: false,
    ...(options.setup && { setup: options.setup }),
  };
  const notion =
    options.token === undefined
      ? createNotionProvider({ ...name, ...network, clientId, clientSecret })
      : createTokenProvider({ ...network, token: options.token, codeUrl: new URL(codeUrl(publicUrl)) });
  const logged: string[] = [];
  const synced: number[] = [];
  const prefix = "/api/integrations/auth/provider";
  const services = {
    config,
    database,
    secrets,
    sources: new Sources(notion),
    source: null,
    sessions,
    sync: { request: async (connectionId: number) => void synced.push(connectionId) },
    clock,
    random,
  };
  const app = await serveRoutes({
    fixture,
    logged,
    signInQuota: options.quota ?? 0,
    routes: async (scope, { limits }) => {
      await scope.register((below) => signInRoutes(below, { ...services, limits }), { prefix });
    },
  });
  return { fixture, provider, logged, synced, services, browser: () => createBrowser(app, prefix) };
}
