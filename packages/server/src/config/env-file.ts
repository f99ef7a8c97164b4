import { parseEnv } from "node:util";
import { ConfigError, type Environment } from "./read-settings.ts";

/** The environment with what an env file adds to it. */
export interface MergedEnvironment {
  readonly env: Environment;
  /** The names whose values come from the file. */
  readonly fromFile: ReadonlySet<string>;
}

/**
 * Adds the settings of an env file to the environment, which wins: where it has a setting, the file's value of it is
 * ignored, also where one of the two is given as `NAME_FILE`. `readFile` gives null where there is no file; where it
 * throws, the file cannot be read, and this throws `ConfigError`.
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
