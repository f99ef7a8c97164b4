import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scopeNames } from "@clew/contract";
import { share } from "@clew/stand-in/testing/share";
import { onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { type Send, senderTo } from "../support/raw-request.ts";
import { openStage } from "../support/stage.ts";
import { type Cast, type Credential, openCast, states } from "./cast.ts";
import { expectWellFormed } from "./expectations.ts";
import { readInputs } from "./inputs.ts";
import { malformedCredentials } from "./invalid-credentials.ts";
import {
  challengeOf,
  declaredParameters,
  expectedOf,
  isFarewell,
  outcomeOf,
  type Row,
  requestOf,
  rowsOf,
} from "./matrix.ts";
import { parameterScopes, sessionParameters } from "./policy.ts";
import { collectRoutes } from "./routes.ts";
import { bearer, get } from "./surface.ts";

// Every route, parameter with a scope of its own, and tool × every credential × every state of it. Rows come from the router and the
// tables of the contract, columns from `cast.ts`, and what must come out from `policy.ts`.

const stage = await openStage();
const routes = collectRoutes();
let cast: Cast;
let send: Send;
let rows: readonly Row[];

before(async () => {
  cast = await openCast(stage, routes, senderTo);
  const { subject, clew } = cast;
  send = senderTo(clew.url);
  rows = rowsOf(await readInputs(routes, send, subject.pageId, subject.workspaceId), subject);
});
after(() => stage.close());

/** A value that a request sends as its credentials: one that was given out, none, or one that is not Clew's. */
interface Sent {
  readonly label: string;
  readonly authorization?: string;
  readonly credential: Credential | null;
  /** Whether it is no credential at all. */
  readonly isInvalid?: true;
}

function columns(): Sent[] {
  const given = cast.credentials.map((credential): Sent => {
    const { kind, state, scopes, raw } = credential;
    const label = `${kind}, ${state}${scopes.length === 0 ? "" : `, ${scopes.join(" ")}`}`;
    return { label, authorization: bearer(raw).authorization, credential };
  });
  const invalid = { ...malformedCredentials, "a refresh token": bearer(cast.refreshToken).authorization };
  const wrong = Object.entries(invalid).map(
    ([label, authorization]): Sent => ({ label, authorization, credential: null, isInvalid: true }),
  );
  return [{ label: "nothing", credential: null }, ...wrong, ...given];
}

/** Outside of V1 no scope counts: there, of tokens in one state that is not valid, the one with all scopes is sent. */
const isRepetition = ({ access }: Row, { credential }: Sent) =>
  credential !== null &&
  credential.kind !== "session" &&
  credential.scopes.length < scopeNames.length &&
  (access.kind === "open" || (access.kind === "session" && credential.state !== "valid"));

/** Asks a cell. Returns what is wrong with it; null if nothing is. */
async function check(
  row: Row,
  { label, authorization, credential, isInvalid }: Sent,
): Promise<string | null> {
  const { subject } = cast;
  const request = requestOf(row, subject, credential?.state ?? null, authorization);
  const answer = await send(request);
  expectWellFormed(request, answer);
  const expected =
    isInvalid && row.access.kind !== "open" ? "401 token_invalid" : expectedOf(row, credential);
  const outcome = outcomeOf(row, answer);
  const name = `${row.method} ${row.pattern}${row.variant === "" ? "" : ` (${row.variant})`} with ${label}`;
  if (outcome !== (row.method === "HEAD" ? expected.slice(0, 3) : expected))
    return `${name}: ${outcome}, not ${expected}: ${answer.text.slice(0, 300)}`;
  const challenge = row.access.kind === "open" ? null : challengeOf(row, expected);
  const header = answer.headers["www-authenticate"];
  const isRight =
    challenge === null ? row.access.kind === "open" || header === undefined : challenge.test(String(header));
  return isRight ? null : `${name}: the challenge is ${header}`;
}

test("the policy lists every parameter that needs more than its operation", () => {
  const listed = [...parameterScopes, ...sessionParameters].map(
    ({ path, parameter }) => `${path} ${parameter.replace(/=.*/, "")}`,
  );
  assert.deepEqual(listed.toSorted(), declaredParameters.toSorted());
});

test("GRAPH-10, TOK-11, ERR-3: every route answers every credential in every state as the policy says", async (t) => {
  const sent = columns();
  for (const state of states)
    assert.ok(
      sent.some(({ credential }) => credential?.state === state),
      state,
    );
  const [last, others] = [rows.filter(isFarewell), rows.filter((row) => !isFarewell(row))];
  const cellsOf = (some: readonly Row[]) =>
    some.flatMap((row) =>
      sent.filter((each) => !isRepetition(row, each)).map((each) => [row, each] as const),
    );
  const faults: string[] = [];
  const ask = async (cells: readonly (readonly [Row, Sent])[]) => {
    const queue = cells.values();
    const work = async () => {
      for (const [row, each] of queue) {
        const fault = await check(row, each);
        if (fault !== null) faults.push(fault);
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
  };
  const all = cellsOf(others);
  assert.ok(all.length > 10_000, `${all.length} cells`);
  const database = onPostgres ? "PostgreSQL" : "SQLite";
  const cells = share(`cells of the matrix on ${database}`, all, Math.ceil(all.length / 3));
  await ask(cells);
  const show = () => `${faults.length} cells are wrong:\n${faults.slice(0, 20).join("\n")}`;
  assert.equal(faults.length, 0, show());
  // Nobody has changed anything of the subject's.
  const owner = cast.credentials.find(({ kind, state }) => kind === "session" && state === "valid");
  const { body } = await get(send, "/api/tokens/?is_active=true", owner?.raw);
  assert.equal(body.items.length, 7);
  // A session takes its person's tokens with it.
  const farewells = cellsOf(last);
  await ask(farewells.filter(([, { credential }]) => credential?.kind !== "session"));
  await ask(farewells.filter(([, { credential }]) => credential?.kind === "session"));
  assert.equal(faults.length, 0, show());
  t.diagnostic(`${cells.length + farewells.length} cells: ${rows.length} rows, ${sent.length} credentials`);
});
