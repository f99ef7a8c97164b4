import { parseArgs } from "node:util";
import { endProgress, printAnswer, printCommand, printHeading, printNote, printProgress } from "./print.ts";
import { createToken, waitForSync } from "./session.ts";
import { signIn } from "./sign-in.ts";
import { type Known, type Stop, stops } from "./stops.ts";

/**
 * The whole way through a running Clew: signs in at the stand-in as a browser would, waits for the sync, makes a
 * service token, reads the graph with it, and revokes it. Prints each request as curl, and its answer.
 */
const { values } = parseArgs({ options: { url: { type: "string", default: "http://localhost:8420/" } } });
const clew = new URL(values.url.endsWith("/") ? values.url : `${values.url}/`);

printHeading("Sign in at the built-in workspace, as its first person, sharing everything");
const session = await signIn(clew);
printNote("The dashboard would now hold an access token and a refresh token.");

printHeading("Wait for the first sync");
const workspaces = await waitForSync(clew, session, printProgress);
endProgress();
for (const { name, nodes, edges } of workspaces) printNote(`${name}: ${nodes} pages, ${edges} threads`);

printHeading("Make a service token: shown this once, good for a day");
const created = await createToken(clew, session, "tour");
printNote(`$ export TOKEN=${created.token}`);

const known: Known = new Map();
for (const stop of stops) await visit(stop);

printHeading("Take the token back");
await revoke();

async function visit({ title, path, learn }: Stop): Promise<void> {
  const url = new URL(path(known), new URL("api/v1/", clew));
  printHeading(title);
  printCommand(`curl -H "Authorization: Bearer $TOKEN" "${decodeURI(url.href)}"`);
  const response = await fetch(url, { headers: { authorization: `Bearer ${created.token}` } });
  const answer = await response.text();
  printAnswer(JSON.stringify(JSON.parse(answer), null, 2));
  if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}`);
  learn?.(known, answer);
}

async function revoke(): Promise<void> {
  const url = new URL(`api/tokens/${created.id}/`, clew);
  printCommand(`curl -X DELETE -H "Authorization: Bearer $ACCESS_TOKEN" "${url}"`);
  const response = await fetch(url, {
    method: "DELETE",
    headers: { authorization: `Bearer ${session.access}` },
  });
  printNote(`${response.status}: whoever holds the token is refused from now on.`);
  if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}`);
}
