import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

/** The response to a request on the command line. */
export interface CurlAnswer {
  readonly status: number;
  readonly body: string;
}

/** Variables of the shell, without their `$`. */
type Variables = Readonly<Record<string, string>>;

const line = /^curl --fail-with-body -H "Authorization: Bearer ([\w$-]+)" "(https?:[^"`\\]+)"$/;

/**
 * Runs a command line as if pasted into a terminal where these variables are set. Without curl on the machine, sends the
 * same request with `fetch`.
 */
export async function runCurlLine(command: string, variables: Variables = {}): Promise<CurlAnswer> {
  const [, token = "", url = ""] = line.exec(command) ?? [];
  if (url === "") throw new Error(`This is not a curl command: ${command}`);
  if (!hasCurl()) {
    const authorization = `Bearer ${expand(token, variables)}`;
    const response = await fetch(expand(url, variables), { headers: { authorization } });
    return { status: response.status, body: await response.text() };
  }
  const shell = `${command} --silent --show-error --write-out "\\n%{http_code}"`;
  const env = { PATH: process.env.PATH, ...variables };
  const { stdout } = await promisify(execFile)("sh", ["-c", shell], { env }).catch((error) => {
    // The exit code of a status above 399.
    if (error.code === 22) return error as { readonly stdout: string };
    throw error;
  });
  const end = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
}

const expand = (text: string, variables: Variables) =>
  text.replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? "");

/** Whether this machine has curl. */
export function hasCurl(): boolean {
  return process.platform !== "win32" && spawnSync("curl", ["--version"]).status === 0;
}
