import { everybody } from "../../model/testing/allow-lists.ts";
import "../../store/testing/repeat-transactions.ts";
import { createHash, randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { type Scope, scopeNames } from "@clew/contract";
import { sealTokens } from "../../connections/grant.ts";
import type { AllowList } from "../../model/allow-list.ts";
import type { User } from "../../model/caller.ts";
import type { ServiceToken } from "../../model/service-token.ts";
import { newId } from "../../secrets/new-id.ts";
import { createSecrets, type Secrets } from "../../secrets/secrets.ts";
import { openDatabase } from "../../store/database.ts";
import type { Database } from "../../store/port.ts";
import { upsertConnection } from "../../store/queries/connections.ts";
import { insertServiceToken } from "../../store/queries/service-tokens.ts";
import { upsertUser } from "../../store/queries/users.ts";
import { newLocation } from "../../store/testing/location.ts";
import type { LockWait } from "../../store/wrappers/lock-wait.ts";
import { type OpenedSession, Sessions } from "../sessions.ts";

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

const someWorkspaceId = "11111111-1111-4111-8111-111111111111";

/** A clock that only the test advances. */
interface SetClock {
  (): number;
  advance(milliseconds: number): void;
}

function setClock(start: number): SetClock {
  let now = start;
  return Object.assign(() => now, {
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  });
}

/** The parts that each process has of its own: a database connection and caches. */
export interface Instance {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly config: { readonly allowed: AllowList };
}

/** A database in a temporary folder, and the services that tests of authentication need. */
export interface AuthFixture extends Instance {
  readonly clock: SetClock;
  readonly secrets: Secrets;
  readonly issuer: string;
  /** Runs `work` when the test ends, before the clean-up of anything created earlier. */
  atEnd(work: () => Promise<void>): void;
  /** Another process on the same database, optionally with another allow list. */
  instance(allowed?: AllowList): Promise<Instance>;
  signUp(name: string): Promise<User>;
  /** A user's session, opened as a sign-in does. */
  signIn(userId: string): Promise<OpenedSession>;
  /** Connects a workspace to a user's account; it is of Notion by default. */
  connect(userId: string, workspaceId: string, provider?: string): Promise<void>;
  /** A service token, by default with every scope. */
  serviceToken(
    userId: string,
    wanted?: { scopes?: readonly Scope[]; workspaceIds?: readonly string[]; expiresAt?: number },
  ): Promise<ServiceToken & { readonly raw: string }>;
}

export interface AuthFixtureSettings {
  /** The wait for locks of other processes. */
  readonly lockWait?: LockWait;
}

/** Creates the fixture; its clock starts within a second, and its encryption key is new. */
export async function createAuthFixture(
  t: Pick<TestContext, "after">,
  settings: AuthFixtureSettings = {},
): Promise<AuthFixture> {
  const { location, remove } = await newLocation();
  const endings = [remove];
  t.after(async () => {
    for (const end of endings.toReversed()) await end();
  });

  const clock = setClock(Date.UTC(2031, 2, 4, 9, 30, 0, 789));
  const secrets = createSecrets(randomBytes(32), randomBytes);
  const issuer = "https://clew.example/";
  async function instance(allowed: AllowList = everybody): Promise<Instance> {
    const database = await openDatabase({ location, ...settings });
    endings.push(() => database.close());
    const sessions = await Sessions.create({
      database,
      secrets,
      clock,
      random: randomBytes,
      issuer,
      allowed,
    });
    return { database, sessions, config: { allowed } };
  }

  const { database, sessions, config } = await instance();
  return {
    clock,
    secrets,
    issuer,
    database,
    sessions,
    config,
    atEnd: (work) => void endings.push(work),
    instance,
    signUp: (name) =>
      database.transaction((trx) => {
        const person = {
          newId: newId(randomBytes),
          provider: "notion",
          providerUserId: `person-${name}`,
        };
        return upsertUser(trx, { ...person, name, email: null, avatarUrl: null }, clock());
      }),
    signIn: (userId) => database.transaction((trx) => sessions.open(trx, userId, "A browser")),
    async connect(userId, workspaceId, provider = "notion") {
      const owner = { userId, workspaceId };
      const grant = {
        ...owner,
        ...sealTokens(secrets, owner, { accessToken: "granted", refreshToken: null }),
        ...{ name: null, icon: null, provider, grantId: "grant" },
      };
      await database.transaction((trx) => upsertConnection(trx, grant, clock()));
    },
    async serviceToken(userId, { scopes = scopeNames, workspaceIds = [someWorkspaceId], expiresAt } = {}) {
      const raw = `svc_${randomBytes(16).toString("hex")}`;
      const token = {
        userId,
        name: "a token",
        hash: createHash("sha256").update(raw).digest(),
        prefix: raw.slice(0, 12),
        scopes,
        workspaceIds,
        expiresInDays: null,
        createdAt: clock(),
        expiresAt: expiresAt ?? null,
      };
      return { ...(await database.transaction((trx) => insertServiceToken(trx, token))), raw };
    },
  };
}
