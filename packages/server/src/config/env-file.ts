import { parseEnv } from "node:util";
import { ConfigError, type Environment } from "./read-settings.ts";

/** The environment, with the settings that an env file adds. */
export interface MergedEnvironment {
  readonly env: Environment;
  /** The names whose values come from the file. */
  readonly fromFile: ReadonlySet<string>;
}

/**
 * Adds the settings of an env file to the environment. If the environment has a setting, the file's value is
 * ignored, even if one of the two is given as `NAME_FILE`. `readFile` returns null if there is no file; if it
 * throws, this throws `ConfigError`.
 */
export function mergeEnvFile(
  env: Environment,
  path: string,
  readFile: (path: string) => string | null,
): MergedEnvironment {
  const given = Object.entries(parsed(path, readFile)).filter(
    ([name]) => !namesOf(name).some((each) => env[each] !== undefined),
  );
  return { env: { ...Object.fromEntries(given), ...env }, fromFile: new Set(given.map(([name]) => name)) };
}

function parsed(path: string, readFile: (path: string) => string | null): Environment {
  try {
    return parseEnv(readFile(path) ?? "");
  } catch {
    throw new ConfigError([`${path} cannot be read`]);
  }
}

/** The two names of a setting: `NAME` and `NAME_FILE`. */
function namesOf(name: string): readonly string[] {
  const base = name.replace(/_FILE$/, "");
  return [base, `${base}_FILE`];
}
