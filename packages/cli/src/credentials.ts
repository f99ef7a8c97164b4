import { readFileSync } from "node:fs";
import { isConfidential } from "@clew/client";
import { ReadingError } from "./exit-codes.ts";
import { addressOf, findLogin, onlyLogin } from "./login-files.ts";

/** The environment, in the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The origin of the token of the reading commands. */
export type TokenSource = "CLEW_TOKEN" | "CLEW_TOKEN_FILE" | "clew login" | "this process";

/** The address of Clew, and the token to read it with. */
interface Credentials {
  readonly url: URL;
  readonly token: string;
  readonly source: TokenSource;
}

/**
 * Reads the address and the token from the environment, otherwise from what `clew login` keeps (OPS-7, APP-8). Neither is ever
 * an argument, which other users of the machine could see. Throws `ReadingError`.
 */
export function readCredentials(env: Environment): Credentials {
  const given = (["CLEW_TOKEN", "CLEW_TOKEN_FILE"] as const).find((name) => env[name]);
  // A token is sent only to the address that was given for it.
  if (!env.CLEW_URL && given === undefined) {
    const login = onlyLogin(env);
    if (login !== null) return { url: new URL(login.url), token: login.token, source: "clew login" };
    throw new ReadingError(
      "usage",
      "There is no login. Run `clew login <url>` with the address of Clew, or set CLEW_URL and CLEW_TOKEN.",
    );
  }
  const url = readAddress(env.CLEW_URL ?? "", "CLEW_URL");
  if (given !== undefined) return { url, token: readToken(env, given), source: given };
  const login = findLogin(env, url);
  if (login !== null) return { url, token: login.token, source: "clew login" };
  throw new ReadingError(
    "usage",
    `There is no token for ${addressOf(url)}. Run \`clew login\`, or set CLEW_TOKEN to a service token (svc_…), or CLEW_TOKEN_FILE to the path of a file that holds one.`,
  );
}

/** The address of a Clew in a text. Throws `ReadingError`, which calls the text `name`. */
export function readAddress(text: string, name: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ReadingError(
      "usage",
      `${name} must be the address of Clew, for example https://clew.example.org.`,
    );
  if (!isConfidential(url))
    throw new ReadingError(
      "usage",
      `${name} must begin with https:// unless Clew is on this machine: others could read the token on its way.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new ReadingError("usage", `${name} must not have a user or a password: a token is enough.`);
  return url;
}

function readToken(env: Environment, source: "CLEW_TOKEN" | "CLEW_TOKEN_FILE"): string {
  const token = (env.CLEW_TOKEN || readTokenFile(env.CLEW_TOKEN_FILE ?? "")).trim();
  if (token === "") throw new ReadingError("usage", `${source} has no service token (svc_…).`);
  // A header could not carry it, and its error would show it.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ReadingError("usage", "The token has characters that no token has.");
  return token;
}

function readTokenFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new ReadingError("usage", `CLEW_TOKEN_FILE names ${path}, which cannot be read.`);
  }
}

/** How a person gets a new token in place of one that has ended, without a full stop. */
export function newToken(source: TokenSource): string {
  if (source === "clew login") return "Run `clew login` again";
  return `Create a new token in the dashboard and set CLEW_TOKEN to it, or unset ${source} and run \`clew login\``;
}
