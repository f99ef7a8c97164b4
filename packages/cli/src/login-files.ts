import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ReadingError } from "./exit-codes.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A login at a Clew, as `clew login` keeps it. */
export interface Login {
  /** The address of Clew, as `addressOf` has it. */
  readonly url: string;
  readonly token: string;
  /** The time at which the token ends, as an RFC 3339 timestamp. */
  readonly expiresAt: string;
}

/** The address of a Clew as files, messages and the issuer of tokens have it: without a final slash, a query and a fragment. */
export const addressOf = ({ origin, pathname }: URL): string =>
  (origin + pathname).replace(/(?<!\/)\/+$/, "");

/**
 * The folder of the files, one for each address of a Clew: below XDG_CONFIG_HOME, by default `~/.config`. Null in an
 * environment without a home.
 */
function folderOf({ XDG_CONFIG_HOME: configured, HOME, USERPROFILE }: Environment): string | null {
  const home = HOME || USERPROFILE;
  // The XDG Base Directory Specification has relative paths ignored.
  if (configured && isAbsolute(configured)) return join(configured, "clew", "logins");
  return home ? join(home, ".config", "clew", "logins") : null;
}

const suffix = ".json";

/** The path of the file for a Clew. Throws `ReadingError` without a folder. */
export function loginPath(env: Environment, url: URL): string {
  const folder = folderOf(env);
  if (folder === null)
    throw new ReadingError("usage", "There is no folder for the token: set HOME or XDG_CONFIG_HOME.");
  return join(folder, encodeURIComponent(addressOf(url)) + suffix);
}

/** The login at a Clew; null if there is none. Throws `ReadingError` for a file that cannot be used. */
export function findLogin(env: Environment, url: URL): Login | null {
  return folderOf(env) === null ? null : readLogin(loginPath(env, url));
}

/** The login at the only Clew that has one; null without any. Throws `ReadingError` if there are several. */
export function onlyLogin(env: Environment): Login | null {
  const folder = folderOf(env);
  if (folder === null) return null;
  const names = listed(folder).filter((name) => name.endsWith(suffix));
  const [name, ...others] = names;
  if (name === undefined) return null;
  if (others.length === 0) return readLogin(join(folder, name));
  const addresses = names.map((each) => decodeURIComponent(each.slice(0, -suffix.length)));
  throw new ReadingError("usage", `Set CLEW_URL to the Clew that is meant: ${addresses.join(", ")}.`);
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readLogin(path: string): Login | null {
  let text: string;
  try {
    // Windows has no such modes.
    if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
      throw new ReadingError(
        "usage",
        `Other users of this machine may open ${path}. Close it with \`chmod 600\`. If one may have read it, run \`clew logout\` then.`,
      );
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof ReadingError) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new ReadingError("usage", `${path} cannot be read.`);
  }
  const login = parsed(text);
  if (login === null)
    throw new ReadingError(
      "usage",
      `${path} is not a file of \`clew login\`. Remove it, and run \`clew login\`.`,
    );
  return login;
}

function parsed(text: string): Login | null {
  try {
    const { url, token, expiresAt }: Partial<Record<keyof Login, unknown>> = JSON.parse(text);
    if (typeof url !== "string" || typeof token !== "string" || typeof expiresAt !== "string") return null;
    return URL.canParse(url) && /^svc_\w+$/.test(token) ? { url, token, expiresAt } : null;
  } catch {
    return null;
  }
}

/** Writes a login to its file, which its owner alone can open (mode 0600), in one step. Returns the path. */
export function keepLogin(env: Environment, login: Login): string {
  const path = loginPath(env, new URL(login.url));
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new ReadingError(
      "usage",
      `The token cannot be kept: ${reason}. XDG_CONFIG_HOME names another folder.`,
    );
  }
  return path;
}

/** Removes the login at a Clew, if there is one. */
export function forgetLogin(env: Environment, url: URL): void {
  rmSync(loginPath(env, url), { force: true });
}
