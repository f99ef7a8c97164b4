import { table } from "@clew/cli";
import { connectedProvider, type Setting, settings } from "@clew/contract/settings";
import { callbackUrl } from "../auth/sign-in/redirect.ts";
import { readConfig } from "../config/config.ts";
import { type Environment, withValues } from "../config/read-settings.ts";
import { camelCase, formatValue } from "../config/setting-values.ts";
import type { CliContext } from "./installation.ts";

/**
 * Shows the effective settings and the source of each: the environment, `.env`, a secret's file or the
 * default. Throws `ConfigError` if Clew would refuse to start.
 */
export function showConfig({ env, fromEnvFile, print }: CliContext): void {
  const config = readConfig(env);
  const values = new Map<string, unknown>(Object.entries(config));
  const show = (name: string, setting: Setting): string => {
    const value = values.get(camelCase(name));
    if (value === null)
      return withValues(setting.otherwise ?? "", (other) => String(values.get(camelCase(other))));
    return setting.secret ? "(not shown)" : formatValue(setting, value);
  };
  const rows = Object.entries(settings).map(([setting, definition]) => ({
    setting,
    value: show(setting, definition),
    from: originOf(setting, env, fromEnvFile),
  }));
  for (const line of table(rows)) print(line);
  print("");
  print(`Redirect URI for an OAuth app at ${connectedProvider.name}: ${callbackUrl(config.publicUrl)}`);
}

function originOf(name: string, env: Environment, fromEnvFile: ReadonlySet<string>): string {
  if (env[`${name}_FILE`]) return env[`${name}_FILE`] ?? "";
  if (!env[name]) return "default";
  return fromEnvFile.has(name) ? ".env" : "the environment";
}
