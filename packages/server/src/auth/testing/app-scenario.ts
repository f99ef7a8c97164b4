import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { tokenLimits } from "@clew/contract";
import fc from "fast-check";
import { pino } from "pino";
import { deleteAccount, disconnect } from "../../connections/remove.ts";
import { ApiError } from "../../model/api-error.ts";
import { statusOf } from "../../model/service-token.ts";
import { actorOf } from "../../model/testing/actor.ts";
import type { Database } from "../../store/port.ts";
import { countLiveCodes } from "../../store/queries/apps.ts";
import { countUsableTokens, tokenOfApp } from "../../store/queries/service-tokens.ts";
import { Clients } from "../apps/clients.ts";
import { exchangeCode } from "../apps/exchange.ts";
import { OAuthFault } from "../apps/faults.ts";
import { approveRequest, beginAuthorization } from "../apps/requests.ts";
import { revokeAppToken } from "../apps/revocation.ts";
import { createServiceToken, hashServiceToken, revokeServiceToken } from "../service-tokens.ts";
import { type AuthFixture, createAuthFixture } from "./auth-fixture.ts";

/** An act, and to which of the things that there are. */
export interface Step {
  readonly kind:
    | "approve"
    | "exchange"
    | "exchange late"
    | "die"
    | "misuse"
    | "create"
    | "revoke"
    | "disown"
    | "disconnect"
    | "sign out"
    | "delete"
    | "wait";
  readonly person: number;
  /** Chooses among codes, tokens, workspaces or times. */
  readonly choice: number;
}

const kinds: readonly Step["kind"][] = [
  ...(["approve", "approve", "approve", "exchange", "exchange", "exchange", "exchange"] as const),
  ...(["approve", "exchange", "create", "create", "create"] as const),
  ...([
    "exchange late",
    "die",
    "misuse",
    "create",
    "revoke",
    "disown",
    "disconnect",
    "sign out",
    "delete",
    "wait",
  ] as const),
];

/** Steps that are taken one after the other, and those of each list at the same time. */
export const arbitrarySteps = (most: number): fc.Arbitrary<Step[][]> => {
  const step = fc.record({
    kind: fc.constantFrom(...kinds),
    person: fc.nat(1),
    choice: fc.nat(1000),
  });
  return fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: most / 2, maxLength: most });
};

interface Code {
  readonly raw: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly expiresAt: number;
  /** How often it was presented. */
  presented: number;
  /** Whether it must not serve any more. */
  isDead: boolean;
  token: Token | null;
}

interface Token {
  readonly raw: string;
  readonly workspaceId: string;
  /** Whether its end was answered. */
  isEnded: boolean;
}

interface Person {
  userId: string;
  sessionId: string;
  codes: Code[];
  tokens: Token[];
}

const clientId = "https://claude.ai/oauth/claude-code-client-metadata";
const redirectUri = "http://127.0.0.1:49152/callback";
const verifier = "v".repeat(43);
const workspaces = ["one", "two"];
const random = (size: number) => new Uint8Array(randomBytes(size));

/** The moment at which an instance is killed. Nothing of what it did is answered. */
type Moment = "before its commit" | "after its commit";

class Killed extends Error {}

/** The database of an instance that is killed in a transaction. */
const dying = (database: Database, moment: Moment): Database => ({
  ...database,
  async transaction(work) {
    await database.transaction(async (trx) => {
      await work(trx);
      if (moment === "before its commit") throw new Killed();
    });
    throw new Killed();
  },
});

/** People, their codes and tokens, and what must be true of them. */
export class AppScenario {
  readonly #fixture: AuthFixture;
  readonly #people: Person[] = [];
  readonly #services;
  #made = 0;
  /** The number of codes that gave a token: a scenario in which none did proves nothing. */
  given = 0;
  /** The number of instances that were killed. */
  killed = 0;
  /** The number of codes that were presented for the first time after their end. */
  late = 0;
  /** The most places that were taken at a time. */
  fullest = 0;

  private constructor(fixture: AuthFixture) {
    this.#fixture = fixture;
    const publicUrl = new URL("https://clew.example");
    const { database, clock } = fixture;
    const clients = new Clients({
      config: { oauthClients: "open" },
      registrations: { open: async () => null },
      documents: { stored: async () => null, read: () => Promise.reject(new Error("not read")) },
    });
    this.#services = {
      ...{ database, clock, random, clients, secrets: fixture.secrets },
      config: { publicUrl, allowed: fixture.config.allowed },
      sync: { abandon: async () => {} },
      graphs: { forget: () => {} },
      log: pino({ level: "silent" }),
    };
  }

  static async open(t: Pick<TestContext, "after">): Promise<AppScenario> {
    const scenario = new AppScenario(await createAuthFixture(t));
    for (let person = 0; person < 2; person += 1) scenario.#people.push(await scenario.#arrive());
    return scenario;
  }

  /** Takes steps at the same time, those that are late after them, and then verifies what must be true. */
  async take(steps: readonly Step[]): Promise<void> {
    const ends = await Promise.all(steps.map((step) => this.#act(step)));
    for (const end of ends) end();
    for (const step of steps) if (step.kind === "exchange late") await this.#exchangeLate(step);
    await this.#verify();
  }

  /** Does what a step says. Returns what is certain once all steps of the same time were answered. */
  async #act({ kind, person: index, choice }: Step): Promise<() => void> {
    const person = this.#people[index];
    assert.ok(person);
    const { database, clock } = this.#services;
    const { userId, sessionId } = person;
    const actor = actorOf({ userId, sessionId });
    const workspaceId = workspaces[choice % workspaces.length] ?? "";
    const code = person.codes[choice % (person.codes.length || 1)];
    const token = person.tokens[choice % (person.tokens.length || 1)];
    const nothing = () => {};
    switch (kind) {
      case "approve":
        return this.#approve(person, workspaceId);
      case "exchange":
      case "misuse":
        return code === undefined ? nothing : this.#exchange(person, code, { isMisuse: kind === "misuse" });
      case "die":
        return this.#die(person, choice);
      case "create": {
        const body = { name: "by hand", scopes: ["graph:read" as const], workspace_ids: [workspaceId] };
        const made = await createServiceToken(this.#services, actor, { body, shapeErrors: [] }).catch(
          expected,
        );
        return () => {
          if (made != null) person.tokens.push({ raw: made.raw, workspaceId, isEnded: false });
        };
      }
      case "revoke": {
        if (token === undefined) return nothing;
        const id = await this.#idOf(token);
        if (id === null) return nothing;
        const isDone = await revokeServiceToken({ database, clock }, actor, String(id)).then(
          () => true,
          (error) => expected(error) !== null,
        );
        return () => {
          if (isDone) token.isEnded = true;
        };
      }
      case "disown": {
        if (token === undefined) return nothing;
        const form = new URLSearchParams({ token: token.raw, client_id: clientId });
        await revokeAppToken({ database, clock }, { form, origin: actor });
        const isApp = (await tokenOfApp(database.read, hashServiceToken(token.raw))) !== null;
        return () => {
          if (isApp) token.isEnded = true;
        };
      }
      case "disconnect": {
        if (choice % 3 > 0) return nothing;
        const [codes, tokens] = [[...person.codes], [...person.tokens]];
        await disconnect(this.#services, actor, workspaceId);
        await this.#fixture.connect(userId, workspaceId).catch(expected);
        return () => {
          for (const each of codes) if (each.workspaceId === workspaceId) each.isDead = true;
          for (const each of tokens) if (each.workspaceId === workspaceId) each.isEnded = true;
        };
      }
      case "sign out": {
        const codes = [...person.codes];
        const { refresh } = await this.#fixture.signIn(userId).catch(() => ({ refresh: null }));
        if (refresh === null) return nothing;
        const next = await this.#fixture.sessions.sessionOfRefreshToken(refresh);
        await database.transaction(async (trx) => {
          await trx.updateTable("sessions").set({ ended_at: clock() }).where("id", "=", sessionId).execute();
        });
        return () => {
          for (const each of codes) if (each.sessionId === sessionId) each.isDead = true;
          if (person.sessionId === sessionId && next !== null) person.sessionId = next;
        };
      }
      case "delete": {
        // Rarely: it ends everything that a scenario has built.
        if (choice % 8 > 0) return nothing;
        const [codes, tokens] = [[...person.codes], [...person.tokens]];
        await deleteAccount(this.#services, userId);
        const next = await this.#arrive();
        return () => {
          for (const each of codes) each.isDead = true;
          for (const each of tokens) each.isEnded = true;
          if (person.userId === userId)
            Object.assign(person, { userId: next.userId, sessionId: next.sessionId });
        };
      }
      case "exchange late":
        return nothing;
      case "wait":
        return () => this.#fixture.clock.advance((choice % 130) * 1000);
    }
  }

  /** Approves a request or presents a code, at an instance that is killed meanwhile. */
  #die(person: Person, choice: number): Promise<() => void> {
    this.killed += 1;
    const moment = choice % 4 < 2 ? "before its commit" : "after its commit";
    const code = person.codes[choice % (person.codes.length || 1)];
    return choice % 2 === 0 || code === undefined
      ? this.#approve(person, workspaces[choice % workspaces.length] ?? "", moment)
      : this.#exchange(person, code, { isMisuse: false, moment });
  }

  async #approve(person: Person, workspaceId: string, moment?: Moment): Promise<() => void> {
    const { userId, sessionId } = person;
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri },
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const begun = await beginAuthorization(this.#services, {
      query,
      reachedHost: "clew.example",
      cookies: {},
    });
    const [name = "", secret] = begun.cookies[0]?.split(";")[0]?.split("=") ?? [];
    const key = {
      id: new URL(begun.location).searchParams.get("request") ?? "",
      cookies: { [name]: secret },
    };
    const approval = { scopes: ["graph:read" as const], workspace_ids: [workspaceId] };
    const expiresAt = this.#fixture.clock() + 60_000;
    const actor = actorOf({ userId, sessionId });
    const decided = await approveRequest(this.#instance(moment), actor, { key, approval }).catch(expected);
    return () => {
      const raw = decided == null ? null : new URL(decided.redirectTo).searchParams.get("code");
      if (raw === null) return;
      person.codes.push({ raw, workspaceId, sessionId, expiresAt, presented: 0, isDead: false, token: null });
    };
  }

  async #exchange(
    person: Person,
    code: Code,
    { isMisuse, moment }: { readonly isMisuse: boolean; readonly moment?: Moment },
  ): Promise<() => void> {
    const mayServe = !code.isDead && code.expiresAt > this.#fixture.clock();
    // A presentation that was not committed did not happen.
    const isUsed = moment !== "before its commit";
    if (isUsed) code.presented += 1;
    const form = new URLSearchParams({
      ...{ grant_type: "authorization_code", code: code.raw, client_id: clientId, redirect_uri: redirectUri },
      code_verifier: isMisuse ? "w".repeat(43) : verifier,
    });
    const request = {
      form,
      isAuthorized: false,
      reachedHost: "clew.example",
      origin: { address: null, userAgent: null },
    };
    const given = await exchangeCode(this.#instance(moment), request, () => {}).catch(expected);
    return () => {
      if (given != null) {
        assert.ok(!isMisuse, "a wrong verifier was accepted");
        assert.ok(mayServe, "a code served that had ended or been presented");
        assert.equal(code.token, null, "a code served twice");
        this.given += 1;
        code.token = { raw: given.message.access_token, workspaceId: code.workspaceId, isEnded: false };
        person.tokens.push(code.token);
      }
      if (isUsed) code.isDead = true;
      // The second use ends what the first gave.
      if (code.token !== null && code.presented > 1) code.token.isEnded = true;
    };
  }

  /** The services of an instance, which may be killed. */
  #instance(moment: Moment | undefined) {
    const { database } = this.#services;
    return { ...this.#services, database: moment === undefined ? database : dying(database, moment) };
  }

  /** Presents a code for the first time after its end, which nothing but the time prevents. */
  async #exchangeLate({ person: index, choice }: Step): Promise<void> {
    const person = this.#people[index];
    assert.ok(person);
    const unused = person.codes.filter(({ presented, isDead }) => presented === 0 && !isDead);
    const code = unused[choice % (unused.length || 1)];
    if (code === undefined) return;
    const { clock } = this.#fixture;
    clock.advance(Math.max(0, code.expiresAt - clock()) + (choice % 30) * 1000);
    (await this.#exchange(person, code, { isMisuse: false }))();
    this.late += 1;
  }

  async #verify(): Promise<void> {
    const { database, clock } = this.#services;
    for (const { userId, codes, tokens } of this.#people) {
      const now = clock();
      const places =
        (await countUsableTokens(database.read, userId, now)) +
        (await countLiveCodes(database.read, userId, now));
      this.fullest = Math.max(this.fullest, places);
      assert.ok(places <= tokenLimits.usablePerUser, `${places} places are taken`);
      // A second use may have been answered before the first.
      for (const { token, presented } of codes) if (token !== null && presented > 1) token.isEnded = true;
      const keys = tokens.map(({ raw }) => ({ kind: "service-token" as const, hash: hashServiceToken(raw) }));
      const records = keys.length === 0 ? [] : await database.callers(keys);
      for (const [index, record] of records.entries()) {
        const works = record?.kind === "service-token" && statusOf(record.token, clock()) === "active";
        if (works) assert.equal(tokens[index]?.isEnded, false, "a token works after its end");
      }
    }
  }

  async #arrive(): Promise<Person> {
    this.#made += 1;
    const { id: userId } = await this.#fixture.signUp(`${this.#made} ${randomBytes(4).toString("hex")}`);
    for (const workspaceId of workspaces) await this.#fixture.connect(userId, workspaceId);
    const { sessionId } = await this.#fixture.signIn(userId);
    return { userId, sessionId, codes: [], tokens: [] };
  }

  async #idOf({ raw }: Token): Promise<number | null> {
    const [record] = await this.#services.database.callers([
      { kind: "service-token", hash: hashServiceToken(raw) },
    ]);
    return record?.kind === "service-token" ? record.token.id : null;
  }
}

/** Refusals that any step may meet: an instance that is killed, a limit, an end, an account that another step of the same time deleted. */
function expected(error: unknown): null {
  if (error instanceof ApiError || error instanceof OAuthFault || error instanceof Killed) return null;
  // A row of an account that has gone.
  if (/foreign key/i.test(String(error))) return null;
  throw error;
}
