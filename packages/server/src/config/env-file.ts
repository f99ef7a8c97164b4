import { parseEnv } from "node:util";
import { unreadable } from "./file-access.ts";
import { ConfigError, type Environment } from "./read-settings.ts";

/**
 * Adds the settings of an env file to the environment. If the environment has a setting, the file's value is
 * ignored, even if one of the two is given as `NAME_FILE`. `readFile` returns null if there is no file; if it
 * throws, this throws `ConfigError`. `fromFile` has the names whose values come from the file.
 */
export function mergeEnvFile(
  env: Environment,
  path: string,
  readFile: (path: string) => string | null,
): { readonly env: Environment; readonly fromFile: ReadonlySet<string> } {
  let added: Environment;
  try {
    added = parseEnv(readFile(path) ?? "");
  } catch (error) {
    throw new ConfigError([`${path} ${unreadable(path, error)}`]);
  }
  const given = Object.entries(added).filter(
    ([name]) => !namesOf(name).some((each) => env[each] !== undefined),
  );
  return { env: { ...Object.fromEntries(given), ...env }, fromFile: new Set(given.map(([name]) => name)) };
}

/** The two names of a setting: `NAME` and `NAME_FILE`. */
function namesOf(name: string): readonly string[] {
  const base = name.replace(/_FILE$/, "");
  return [base, `${base}_FILE`];
}
