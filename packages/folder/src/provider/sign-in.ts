import { createHmac, timingSafeEqual } from "node:crypto";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { type Clock, type Grant, type Provider, ProviderError, type RandomBytes } from "@clew/provider";

/** The folder that people sign in to, and how. */
export interface SignInOptions {
  readonly slug: string;
  /** The folder. */
  readonly path: string;
  readonly workspaceId: string;
  /** The page of Clew's own on which a person opens the folder. */
  readonly signInUrl: URL;
  /** Whether that page asks for the one-time code of SIGN-12, which Clew checks. Otherwise one press is enough. */
  readonly asksForCode: boolean;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** The one person of every folder. A folder is the operator's, who lets people in. */
const owner = { id: "owner", name: "Owner", email: null, avatarUrl: null };

/** The time in which a person must press the button. */
const codeLifetimeMs = 10 * 60_000;

/** Room for an id, a name and an icon. */
const maxDescriptionBytes = 64 * 1024;

/**
 * Sign-in to a folder. The address of the page carries the code that the page returns on one press: a name that this
 * process has signed, which expires. A grant is a name too: it opens nothing by itself, is never renewed, and needs no
 * revocation.
 */
export function createSignIn(
  options: SignInOptions,
): Pick<Provider, "authorizationUrl" | "exchange" | "refresh" | "revoke"> {
  const { slug, workspaceId, asksForCode, clock, random } = options;
  const key = random(32);
  const sign = (text: string) => createHmac("sha256", key).update(`${slug} ${text}`).digest("base64url");
  const isIssued = (code: string) => {
    const [, text = "", signature = ""] = /^(\d+\.[\w-]+)\.([\w-]+)$/.exec(code) ?? [];
    const [given, right] = [Buffer.from(signature), Buffer.from(sign(text))];
    return (
      given.length === right.length && timingSafeEqual(given, right) && Number.parseInt(text, 10) > clock()
    );
  };
  return {
    authorizationUrl({ state, redirectUri }) {
      const url = new URL(options.signInUrl);
      url.searchParams.set("state", state);
      url.searchParams.set("redirect_uri", redirectUri);
      if (asksForCode) return url.href;
      const text = `${clock() + codeLifetimeMs}.${Buffer.from(random(16)).toString("base64url")}`;
      url.searchParams.set("code", `${text}.${sign(text)}`);
      return url.href;
    },
    async exchange({ code, signal }): Promise<Grant> {
      signal.throwIfAborted();
      if (!asksForCode && !isIssued(code))
        throw new ProviderError("refused", "The code was not issued by this process, or has expired");
      const name = grantOf(workspaceId);
      const workspace = { ...(await readWorkspaceIdentity(options.path)), id: workspaceId };
      return { id: name, accessToken: name, refreshToken: null, workspace, person: owner };
    },
    async refresh() {
      throw new ProviderError("refused", "The grant of a folder cannot be renewed");
    },
    async revoke() {},
  };
}

/**
 * The name that a connection stores in place of an access token. It names the workspace and not the source: two folders may swap their
 * names.
 */
export function grantOf(workspaceId: string): string {
  return `folder ${workspaceId}`;
}

/** Reads the name and icon of a folder's workspace, and the id that it has in the demo workspace. Throws `unavailable` if the folder cannot be read. */
export async function readWorkspaceIdentity(directory: string): Promise<Grant["workspace"]> {
  // Most processes never need them.
  const [{ readIdentity }, { OpenFolder }] = await Promise.all([
    import("../workspace/descriptions.ts"),
    import("../workspace/open-folder.ts"),
  ]);
  try {
    const place = await realpath(directory);
    const folder = await OpenFolder.open(place);
    try {
      return readIdentity(await textIn(folder, "_workspace.yml"), path.basename(place));
    } finally {
      await folder.close();
    }
  } catch (cause) {
    throw new ProviderError("unavailable", "failed to read the folder", { cause });
  }
}

/** The text of a file; null if there is none, it is a link, or it is too large. */
async function textIn(
  folder: { openFile(name: string): ReturnType<typeof import("node:fs/promises").open> },
  name: string,
): Promise<string | null> {
  const file = await folder.openFile(name).catch(() => null);
  if (file === null) return null;
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= maxDescriptionBytes ? await file.readFile("utf8") : null;
  } finally {
    await file.close();
  }
}
