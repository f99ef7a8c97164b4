import { readFileSync } from "node:fs";
import { clientVariables, type Setting, settingPrefixes } from "@clew/contract/settings";
import { editDistance } from "../model/edit-distance.ts";
import { codeOf } from "../model/thrown.ts";
import { unreadable } from "./file-access.ts";
import { camelCase, formatValue, parseValue, type SettingValues } from "./setting-values.ts";

/** The environment, in the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings are invalid. The message lists all faults, without secrets. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(["Clew cannot start with these settings:", ...faults.map((fault) => `  - ${fault}`)].join("\n"));
    this.name = "ConfigError";
  }
}

type Settings = Readonly<Record<string, Setting>>;

/**
 * Reads the settings of a table from an environment. A setting may also be given as `NAME_FILE`, the path of a file that
 * holds it. Each fault begins with the setting's name; an invalid setting has its default as value.
 */
export function readSettings<Table extends Settings>(
  table: Table,
  env: Environment,
  readFile: ReadFile = (path) => readFileSync(path, "utf8"),
): { readonly values: SettingValues<Table>; readonly faults: string[] } {
  const faults: string[] = [];
  const written = new Map<string, string>();
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(table)) {
    const value = givenValue(name, setting) ?? defaultValue(setting);
    written.set(name, value === null ? "" : formatValue(setting, value).replace(/(?<!\/)\/+$/, ""));
    values[camelCase(name)] = value;
  }
  // Each setting of the table was parsed according to its type.
  return { values: values as SettingValues<Table>, faults };

  /** The value that is given; null without one, and with a fault. */
  function givenValue(name: string, setting: Setting): ReturnType<typeof parseValue> | null {
    try {
      const text = readText(name, env, { readFile, faults });
      return text ? parseValue(setting, text) : null;
    } catch (error) {
      const file = env[name] ? undefined : env[`${name}_FILE`];
      const source = file === undefined ? "" : `in ${file} `;
      faults.push(`${name} ${source}${error instanceof Error ? error.message : "is not valid"}`);
      return null;
    }
  }

  function defaultValue(setting: Setting): ReturnType<typeof parseValue> | null {
    const packaged = setting.packagedDefault === undefined ? undefined : env[setting.packagedDefault];
    const text = packaged || setting.default;
    return text === null
      ? null
      : parseValue(
          setting,
          withValues(text, (other) => written.get(other) ?? ""),
        );
  }
}

type ReadFile = (path: string) => string;

/** Reads the text of a setting from the environment or its file; undefined if it is not set, or with a fault. */
function readText(
  name: string,
  env: Environment,
  { readFile, faults }: { readonly readFile: ReadFile; readonly faults: string[] },
): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name];
  if (env[name]) throw new Error(`is set twice: also as ${name}_FILE`);
  try {
    const text = readFile(file).trim();
    if (text === "") faults.push(`${name}_FILE names ${file}, which is empty`);
    return text;
  } catch (error) {
    // A name of no file may be the secret itself, by mistake.
    const isFile = /^(EACCES|EPERM|EISDIR)$/.test(codeOf(error));
    faults.push(
      `${name}_FILE names ${isFile ? `${file}, which ${unreadable(file, error)}` : "a file that does not exist"}`,
    );
    return undefined;
  }
}

/** The values of settings. Throws `ConfigError` if one is wrong. */
export function requireSettings<Table extends Settings>(
  table: Table,
  env: Environment,
): SettingValues<Table> {
  const { values, faults } = readSettings(table, env);
  if (faults.length > 0) throw new ConfigError(faults);
  return values;
}

/** A text in which each `{NAME}` is replaced by that setting's value. */
export function withValues(text: string, lookUp: (name: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => lookUp(name));
}

/** Unknown settings that are meant for Clew, by a prefix or as a misspelt name, each with the nearest known name (OPS-5). */
export function unknownSettings(names: readonly string[], env: Environment): string[] {
  const known = new Set([...names.flatMap((name) => [name, `${name}_FILE`]), ...clientVariables]);
  return Object.keys(env)
    .filter((name) => !known.has(name) && (hasOwnPrefix(name) || isMisspelt(name, names)))
    .map((name) => {
      const nearest = nearestName(name, names);
      return `${name} is not a setting of Clew; the nearest is ${nearest}`;
    });
}

const hasOwnPrefix = (name: string) => settingPrefixes.some((prefix) => name.startsWith(prefix));

/**
 * Whether a name differs from a known one by a letter, or from one of ten letters and more by up to two. Shorter names than
 * eight letters have neighbours that belong to others: HOME and HOST, PATH and PORT.
 */
function isMisspelt(name: string, names: readonly string[]): boolean {
  const base = name.replace(/_FILE$/, "");
  return names.some((known) => {
    const most = known.length < 10 ? 1 : 2;
    // A distance takes long to compute, and an environment has many names.
    const isNear = known.length >= 8 && Math.abs(base.length - known.length) <= most;
    return isNear && editDistance(base, known) <= most;
  });
}

/** The known name that is nearest to a text, with or without Clew's own prefix, which few of them have. */
function nearestName(text: string, names: readonly string[]): string {
  const bare = text.replace(/^CLEW_/, "");
  const distances = names.map((name) => Math.min(editDistance(text, name), editDistance(bare, name)));
  return names[distances.indexOf(Math.min(...distances))] ?? "";
}
