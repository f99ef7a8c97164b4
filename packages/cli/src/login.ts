import type { Command } from "commander";
import { authorize, revokeLogin } from "./authorization.ts";
import type { ReadingContext } from "./connect.ts";
import { type Environment, readAddress } from "./credentials.ts";
import { ReadingError } from "./exit-codes.ts";
import { findLogin, forgetLogin, keepLogin, type Login, loginPath, onlyLogin } from "./login-files.ts";
import { minute, write } from "./output.ts";

const urlHelp = "the address of Clew; by default CLEW_URL, or that of the only login";

const environment = `
The token is kept in a file that its owner alone can open, below XDG_CONFIG_HOME (by default ~/.config).
The commands that read, and \`clew mcp\`, use it unless CLEW_TOKEN or CLEW_TOKEN_FILE is set.

Exit codes: 0 done, 1 there was no login to end, 2 wrong usage, 3 refused, 4 Clew cannot be reached, or no answer arrived.`;

/** Adds `clew login` and `clew logout` (APP-8). */
export function addLoginCommands(program: Command, context: ReadingContext): void {
  const add = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .argument("[url]", urlHelp)
      .helpGroup("Commands that get a token in the browser, for those that read:")
      .addHelpText("after", environment);
  add("login", "let the command line read a Clew: asks in the browser for what, and for how long").action(
    (url: string | undefined) => logIn(context, url),
  );
  add("logout", "end the token of `clew login`, and remove it").action((url: string | undefined) =>
    logOut(context, url),
  );
}

async function logIn(context: ReadingContext, given: string | undefined): Promise<void> {
  const { env, warn, openBrowser } = context;
  const url = chosenAddress(env, given);
  // Fails before a token is made that cannot be kept.
  loginPath(env, url);
  const earlier = earlierLogin(env, url);
  const login = await authorize(
    {
      ...context,
      openBrowser(address) {
        warn(
          `Your browser asks what the command line may read. If none opens, open this address:\n${address}`,
        );
        openBrowser(address);
      },
    },
    url,
  );
  const path = await keep(context, login);
  await write(
    context,
    `Connected to ${login.url} until ${minute(login.expiresAt)}. The token is in ${path}.\n`,
  );
  if (earlier === null) return;
  await revokeLogin(context.fetch, earlier).catch(() =>
    warn("The token of the earlier login could not be ended. The dashboard lists it."),
  );
}

/** The login that a new one replaces. A file that cannot be used is replaced without. */
function earlierLogin(env: Environment, url: URL): Login | null {
  try {
    return findLogin(env, url);
  } catch {
    return null;
  }
}

/** Keeps a new token, or ends it. Returns the path of its file. */
async function keep({ env, fetch }: ReadingContext, login: Login): Promise<string> {
  try {
    return keepLogin(env, login);
  } catch (error) {
    await revokeLogin(fetch, login).catch(() => {});
    throw error;
  }
}

async function logOut(context: ReadingContext, given: string | undefined): Promise<void> {
  const { env, fetch } = context;
  const url = chosenAddress(env, given);
  const login = findLogin(env, url);
  if (login === null) throw new ReadingError("nothing", `There is no login at ${url.href}.`);
  await revokeLogin(fetch, login).catch((error) => {
    if (!(error instanceof ReadingError)) throw error;
    const path = loginPath(env, url);
    throw new ReadingError(
      "unavailable",
      `${error.message} The token still works, and is kept in ${path}. Try again, or revoke it in the dashboard and remove the file.`,
    );
  });
  forgetLogin(env, url);
  await write(context, `The token for ${login.url} was ended and removed.\n`);
}

/** The Clew that a command is about. Throws `ReadingError`. */
function chosenAddress(env: Environment, given: string | undefined): URL {
  if (given !== undefined) return readAddress(given, "The address");
  if (env.CLEW_URL) return readAddress(env.CLEW_URL, "CLEW_URL");
  const login = onlyLogin(env);
  if (login !== null) return new URL(login.url);
  throw new ReadingError("usage", "Which Clew? Give its address: `clew login https://clew.example.org`.");
}
