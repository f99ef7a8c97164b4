import { type Client, createClient } from "@clew/client";
import { type CreatedToken, scopeNames, type Workspace } from "@clew/contract";
import { answerConsent, type ConsentChoice, giveConsent } from "@clew/stand-in/testing";
import { type SignedIn, type SignIn, signIn as signInWith } from "../../scripts/tour/sign-in.ts";
import { waitForSync as waitWith } from "../../scripts/tour/wait-for-sync.ts";

export type { SignedIn, SignIn };

/** Signs in to the Clew at `base` through the consent screen of the demo workspace or of a stand-in. */
export function signIn(base: URL, choice?: ConsentChoice): Promise<SignIn> {
  return signInWith(base, (authorizationUrl) => giveConsent(authorizationUrl, choice));
}

/** Adds a folder of this machine to the account of a session, in one press. */
export async function addSource(
  base: URL,
  { access }: Pick<SignedIn, "access">,
  name: string,
): Promise<void> {
  const begun = await fetch(new URL("api/auth/sources/", base), {
    method: "POST",
    headers: { authorization: `Bearer ${access}`, "content-type": "application/json" },
    body: JSON.stringify({ provider: name }),
  });
  const { url } = (await begun.json()) as { readonly url: string };
  const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const added = await fetch(url, { redirect: "manual", headers: { cookie } });
  const { hash } = new URL(added.headers.get("location") ?? "", base);
  if (!hash.startsWith("#added=")) throw new Error(`The source ${name} was not added: ${hash}`);
}

/** The headers with which a browser that signed in reads pages of the demo workspace. */
export async function readerHeaders(base: URL): Promise<{ readonly cookie: string }> {
  const begun = await fetch(new URL("api/integrations/auth/provider/", base), { redirect: "manual" });
  const { setCookie } = await answerConsent(begun.headers.get("location") ?? "");
  return { cookie: setCookie?.split(";")[0] ?? "" };
}

/** A client with the access token of a session. */
export function clientOf(base: URL, { access }: Pick<SignedIn, "access">): Client {
  return createClient({ url: base, token: access, retries: 0 });
}

/**
 * Waits until every workspace of the session is synced, and returns them. Throws if a sync fails. A connection that breaks,
 * as on a busy machine, does not end the wait.
 */
export function waitForSync(base: URL, { access }: Pick<SignedIn, "access">): Promise<readonly Workspace[]> {
  return waitWith(createClient({ url: base, token: access }));
}

/** The workspaces of the session. */
export async function readWorkspaces(base: URL, session: SignedIn): Promise<readonly Workspace[]> {
  return (await clientOf(base, session).listWorkspaces()).items;
}

/** Creates a service token with every scope for every workspace of the session, valid for a day. */
export async function createToken(base: URL, session: SignedIn, name: string): Promise<CreatedToken> {
  const workspaces = await readWorkspaces(base, session);
  return clientOf(base, session).createServiceToken({
    name,
    scopes: scopeNames,
    workspace_ids: workspaces.map(({ id }) => id),
    expires_in_days: 1,
  });
}
