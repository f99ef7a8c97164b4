import { parseArgs } from "node:util";
import { explainFault } from "./fault.ts";
import { printAnswer, printCommand, printHeading, printNote, progressPrinter } from "./print.ts";
import { createToken, revokeToken, signOut, waitForSync } from "./session.ts";
import { type SignedIn, signIn } from "./sign-in.ts";
import { firstFound, type Known, resolvePath, stops } from "./stops.ts";

/**
 * The whole way through a running Clew: signs in at the stand-in as a browser would, waits for the sync, makes a
 * service token, reads the graph with it, and takes it back. Prints each request as curl, and its answer.
 */
async function tour(clew: URL): Promise<void> {
  printHeading("Sign in at the demo workspace, as its first person, sharing everything");
  const session = await signIn(clew);
  printNote("The dashboard would now hold an access token and a refresh token.");
  try {
    await waitForPages(clew, session);
    await walkWithToken(clew, session);
  } finally {
    await signOut(clew, session);
  }
}

async function waitForPages(clew: URL, session: SignedIn): Promise<void> {
  printHeading("Wait for the first sync");
  const progress = progressPrinter();
  const workspaces = await waitForSync(clew, session, progress.print);
  progress.end();
  for (const { name, nodes, edges } of workspaces) printNote(`${name}: ${nodes} pages, ${edges} references`);
}

async function walkWithToken(clew: URL, session: SignedIn): Promise<void> {
  printHeading("Make a service token: shown this once, good for a day");
  const { id, token } = await createToken(clew, session, "tour");
  printCommand(`TOKEN=${token}`);
  try {
    await visitStops(clew, token);
  } finally {
    await revokeToken(clew, session, id);
  }
  printHeading("The token is taken back, as the dashboard's Revoke does: from now on it is refused");
  await ask(clew, token, "token/", new Map(), 401);
}

async function visitStops(clew: URL, token: string): Promise<void> {
  const known: Known = new Map();
  for (const stop of stops) {
    printHeading(stop.title);
    const answer = await ask(clew, token, stop.path, known, 200);
    if (stop.finds === undefined) continue;
    const id = firstFound(answer, stop);
    known.set(stop.finds, id);
    printCommand(`${stop.finds}=${id}`);
  }
}

/** Sends one request of V1, prints it with its answer, and returns that. Throws where the status is another one. */
async function ask(clew: URL, token: string, path: string, known: Known, expected: number): Promise<string> {
  const door = new URL("api/v1/", clew);
  printCommand(`curl -H "Authorization: Bearer $TOKEN" "${door}${path}"`);
  const url = new URL(resolvePath({ path }, known), door);
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const answer = await response.text();
  if (response.status !== expected) throw new Error(`${url} answered ${response.status}: ${answer}`);
  printAnswer(answer);
  return answer;
}

let address = `http://localhost:${process.env.PORT || 8420}/`;
try {
  const { values } = parseArgs({ options: { url: { type: "string", default: address } } });
  if (!URL.canParse(values.url)) throw new Error(`--url ${values.url} is not a URL.`);
  address = values.url.endsWith("/") ? values.url : `${values.url}/`;
  await tour(new URL(address));
} catch (error) {
  console.error(explainFault(error, address));
  process.exitCode = 1;
}
