import { join } from "node:path";
import { ConfigError, type Environment } from "./read-settings.ts";

/** The credentials that are settings: a unit passes a folder of files, each named after its setting, under the name `clew`. */
const prefix = "clew_";

/**
 * Adds the credentials that systemd passes to a service (systemd.exec(5), Credentials) to the environment: `clew_NAME` as
 * `NAME_FILE`. Others are ignored. A setting that is given both ways stays set twice, which Clew refuses. Throws
 * `ConfigError` if `listFolder`, which returns names of files, throws.
 */
export function addCredentials(
  env: Environment,
  listFolder: (path: string) => readonly string[],
): Environment {
  const folder = env.CREDENTIALS_DIRECTORY;
  if (!folder) return env;
  const added = list(folder, listFolder)
    .filter((file) => file.startsWith(prefix))
    .map((file) => [`${file.slice(prefix.length)}_FILE`, join(folder, file)] as const)
    .filter(([name]) => !env[name]);
  return { ...env, ...Object.fromEntries(added) };
}

function list(folder: string, listFolder: (path: string) => readonly string[]): readonly string[] {
  try {
    return listFolder(folder);
  } catch {
    throw new ConfigError([`CREDENTIALS_DIRECTORY names the folder ${folder}, which cannot be read`]);
  }
}
