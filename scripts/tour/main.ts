import { parseArgs } from "node:util";
import { type Client, createClient } from "@clew/client";
import { scopeNames, type Workspace } from "@clew/contract";
import { giveConsent } from "@clew/stand-in/testing";
import { printAnswer, printCommand, printHeading, printNote, progressPrinter } from "./print.ts";
import { signIn } from "./sign-in.ts";
import { firstFound, type Known, resolvePath, stops } from "./stops.ts";
import { describeSync, waitForSync } from "./wait-for-sync.ts";

/**
 * Walks through a running Clew: signs in at the demo workspace, waits for the sync, creates a service token, reads the
 * graph with it, and revokes it. Prints each request as a curl command, with its response.
 */
async function tour(baseUrl: URL): Promise<void> {
  printHeading("Sign in at the demo workspace as its first person, sharing every page");
  const { access, refresh } = await signIn(baseUrl, giveConsent);
  const session = createClient({ url: baseUrl, token: access });
  printNote("The dashboard would now hold an access token and a refresh token.");
  try {
    const workspaces = await waitForPages(session);
    await readWithToken(baseUrl, session, workspaces);
  } finally {
    await session.signOut({ refresh });
  }
}

async function waitForPages(session: Client): Promise<readonly Workspace[]> {
  printHeading("Wait for the first sync");
  const progress = progressPrinter();
  const workspaces = await waitForSync(session, ({ name, sync }) =>
    progress.print(`${name}: ${describeSync(sync)}`),
  );
  progress.end();
  for (const { name, nodes, edges } of workspaces) printNote(`${name}: ${nodes} pages, ${edges} links`);
  return workspaces;
}

async function readWithToken(baseUrl: URL, session: Client, workspaces: readonly Workspace[]): Promise<void> {
  printHeading("Create a service token: shown this once, valid for a day");
  const { id, token } = await session.createServiceToken({
    name: "tour",
    scopes: scopeNames,
    workspace_ids: workspaces.map((workspace) => workspace.id),
    expires_in_days: 1,
  });
  printCommand(`TOKEN=${token}`);
  const known: Known = new Map();
  try {
    for (const stop of stops) {
      printHeading(stop.title);
      const answer = await ask(baseUrl, token, stop.path, known, 200);
      if (stop.finds === undefined) continue;
      known.set(stop.finds, firstFound(answer, stop));
      printCommand(`${stop.finds}=${known.get(stop.finds)}`);
    }
  } finally {
    await session.revokeServiceToken({ id });
  }
  printHeading("The token is revoked, as the dashboard's Revoke button does: Clew refuses it from now on");
  await ask(baseUrl, token, "token/", known, 401);
}

/** Sends one request, prints it with its response, and returns the response. Throws unless it has the expected status. */
async function ask(
  baseUrl: URL,
  token: string,
  path: string,
  known: Known,
  expectedStatus: number,
): Promise<unknown> {
  const api = new URL("api/v1/", baseUrl);
  printCommand(`curl --fail-with-body -H "Authorization: Bearer $TOKEN" "${api}${path}"`);
  const response = await fetch(new URL(resolvePath({ path }, known), api), {
    headers: { authorization: `Bearer ${token}` },
  });
  const { status } = response;
  const body: unknown = await response.json();
  if (status !== expectedStatus) throw new Error(`${path} failed with status ${status}`);
  printAnswer(body);
  return body;
}

/** The reason why the tour stopped, in one line. */
function explain(error: unknown, address: string): string {
  if (error instanceof TypeError && error.message === "fetch failed") {
    return `Nothing answers at ${address}. Start Clew with \`npm start\`, or say where it runs: \`npm run tour -- --url http://localhost:8420\`.`;
  }
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n")[0] ?? text;
}

let address = `http://localhost:${process.env.PORT || 8420}/`;
try {
  const { values } = parseArgs({ options: { url: { type: "string", default: address } } });
  if (!URL.canParse(values.url)) throw new Error(`--url ${values.url} is not a URL.`);
  address = values.url.endsWith("/") ? values.url : `${values.url}/`;
  await tour(new URL(address));
} catch (error) {
  console.error(explain(error, address));
  process.exitCode = 1;
}
