import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

/** The response to a request on the command line. */
export interface CurlAnswer {
  readonly status: number;
  readonly body: string;
}

/** Variables of the shell, without their `$`. */
type Variables = Readonly<Record<string, string>>;

const line =
  /^curl --fail-with-body(?<headers>(?: -H "[^"`\\]+")*)(?: -d '(?<body>[^']*)')?(?: -o (?<file>[\w.]+))? "(?<url>https?:[^"`\\]+)"$/;

/**
 * Runs a command line as if pasted into a terminal where these variables are set. Without curl on the machine, sends the
 * same request with `fetch`. A file that it would write is its body here.
 */
export async function runCurlLine(command: string, variables: Variables = {}): Promise<CurlAnswer> {
  // A backslash at the end of a line continues it.
  const {
    headers = "",
    body,
    file,
    url = "",
  } = line.exec(command.replaceAll(/\s*\\\n\s*/g, " "))?.groups ?? {};
  if (url === "") throw new Error(`This is not a curl command: ${command}`);
  if (!hasCurl()) {
    const sent = [...headers.matchAll(/-H "([\w-]+): ([^"]+)"/g)].map(
      ([, name = "", value = ""]): [string, string] => [name, expand(value, variables)],
    );
    const init = body === undefined ? {} : { method: "POST", body };
    const response = await fetch(expand(url, variables), { ...init, headers: sent });
    return { status: response.status, body: await response.text() };
  }
  const toOutput = file === undefined ? command : command.replace(`-o ${file}`, "-o -");
  const shell = `${toOutput} --silent --show-error --write-out "\\n%{http_code}"`;
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

let isThere: boolean | undefined;

/** Whether this machine has curl. */
export function hasCurl(): boolean {
  isThere ??= process.platform !== "win32" && spawnSync("curl", ["--version"]).status === 0;
  return isThere;
}
