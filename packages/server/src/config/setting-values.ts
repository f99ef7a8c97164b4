import { resolve } from "node:path";
import type { Setting } from "@clew/contract/settings";
import { type FolderConfig, formatFolders, parseFolders } from "../model/folders.ts";
import { parsePostgresUrl } from "../model/postgres-address.ts";
import { proxyRanges } from "./trusted-proxies.ts";

/** Which programs may connect by URL: all, none, or those of these hosts. */
type ClientPolicy = "open" | "off" | readonly string[];

interface ValueTypes {
  readonly text: string;
  readonly token: string;
  readonly path: string;
  readonly word: string;
  readonly words: readonly string[];
  readonly "age-identity": string;
  /** `sqlite:` and an absolute path, or a URL that `parsePostgresUrl` takes. */
  readonly database: string;
  /** The same, or several URLs. */
  readonly databases: readonly string[];
  readonly url: URL;
  readonly flag: boolean;
  readonly integer: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Bytes. */
  readonly size: number;
  readonly list: readonly string[];
  /** Lower-case addresses and `@domain`s. */
  readonly emails: readonly string[];
  /** The programs that may connect by URL: all, those of some hosts in lower case, or none (APP-3). */
  readonly clients: ClientPolicy;
  readonly folders: readonly FolderConfig[];
  /** Address ranges in CIDR notation. */
  readonly proxies: readonly string[];
  /** 32 bytes. */
  readonly key: Uint8Array;
}

type Value = ValueTypes[keyof ValueTypes];

/** `PUBLIC_URL` as `publicUrl`. */
export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

type ValueOf<S extends Setting> =
  | (S extends { readonly words: readonly (infer Word)[] }
      ? S["type"] extends "words"
        ? readonly Word[]
        : Word
      : ValueTypes[S["type"]])
  | (S["default"] extends null ? null : never);

/** The values of a table's settings, each under its name in camel case; null for a setting without a value. */
export type SettingValues<Table extends Readonly<Record<string, Setting>>> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: ValueOf<Table[Name]>;
};

export function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Parses a setting. Throws an `Error` that describes valid values without repeating this one. */
export function parseValue(setting: Setting, text: string): Value {
  switch (setting.type) {
    case "text":
      return text;
    case "token":
      if (!/^[\x21-\x7e]+$/.test(text)) throw new Error("must be one word of ASCII characters");
      return text;
    case "path":
      return resolve(text);
    case "database":
      return parseDatabaseUrl(text);
    case "databases":
      return parseDatabases(text);
    case "url":
      return parseUrl(text);
    case "flag":
      if (["1", "true", "yes", "on"].includes(text.toLowerCase())) return true;
      if (["0", "false", "no", "off"].includes(text.toLowerCase())) return false;
      throw new Error("must be 1 or 0");
    case "integer":
      if (!/^\d+$/.test(text) || Number(text) < setting.min || Number(text) > setting.max)
        throw new Error(`must be a whole number from ${setting.min} to ${setting.max}`);
      return Number(text);
    case "duration":
      return parseAmount(text, durationUnits, "a time such as 90s, 15m, 2h or 7d, or 0");
    case "size":
      return parseAmount(text, sizeUnits, "a size such as 500MiB or 16GiB, or 0");
    case "word":
      if (!setting.words.includes(text)) throw new Error(`must be one of ${setting.words.join(", ")}`);
      return text;
    case "words":
      return parseWords(text, setting.words);
    case "list":
      return parseList(text);
    case "emails":
      return parseEmails(text);
    case "clients":
      return parseClients(text);
    case "folders":
      return parseFolders(text);
    case "proxies":
      return proxyRanges(parseList(text));
    case "key":
      return parseKey(text);
    case "age-identity":
      return parseIdentity(text);
  }
}

/** Formats a value as it would be set, a password in it aside. */
export function formatValue(setting: Setting, value: unknown): string {
  if (setting.type === "database" || setting.type === "databases")
    return String(value).replaceAll(/(?<=^|,)(postgres\w*:\/\/[^:@/]*):[^@/]*@/g, "$1:…@");
  if (value instanceof URL) return value.href;
  if (typeof value === "boolean") return value ? "1" : "0";
  if (setting.type === "folders") return formatFolders(value as readonly FolderConfig[]);
  if (Array.isArray(value)) return value.join(", ");
  return setting.type === "duration" ? `${Number(value) / 1000}s` : String(value);
}

function parseDatabaseUrl(text: string): string {
  if (/^postgres(ql)?:/.test(text)) {
    parsePostgresUrl(text);
    return text;
  }
  if (!/^sqlite:./.test(text)) throw new Error("must be sqlite:PATH or postgres://…");
  return `sqlite:${resolve(text.slice("sqlite:".length))}`;
}

/** One database, or several on servers. */
function parseDatabases(text: string): readonly string[] {
  const urls = text.split(/(?<!\s)\s*,\s*(?=postgres(?:ql)?:)/);
  if (text.trimEnd().endsWith(",")) throw new Error("must not end with a comma");
  if (urls.length === 1) return [parseDatabaseUrl(text)];
  for (const url of urls) parsePostgresUrl(url);
  if (new Set(urls).size < urls.length) throw new Error("must not list a database twice");
  return urls;
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) throw new Error("must be an http or https URL");
  if (url.search || url.hash) throw new Error("must have neither query nor fragment");
  if (url.username || url.password) throw new Error("must not contain a user name or password");
  return url;
}

const durationUnits: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const sizeUnits: Readonly<Record<string, number>> = {
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

function parseAmount(text: string, units: Readonly<Record<string, number>>, shape: string): number {
  if (text === "0") return 0;
  const [, amount, unit = ""] = /^(\d{1,6}) ?([A-Za-z]+)$/.exec(text) ?? [];
  const factor = units[unit];
  if (amount === undefined || factor === undefined) throw new Error(`must be ${shape}`);
  return Number(amount) * factor;
}

function parseList(text: string): readonly string[] {
  const items = text.split(",").map((item) => item.trim());
  return items.filter((item) => item !== "");
}

/** The words of a list that are among the known ones, in the order of these, each once. */
function parseWords(text: string, known: readonly string[]): readonly string[] {
  const given = parseList(text);
  if (given.length === 0 || given.some((word) => !known.includes(word)))
    throw new Error(`must be a list of ${known.join(", ")}, with one of them at least`);
  return known.filter((word) => given.includes(word));
}

function parseEmails(text: string): readonly string[] {
  const emails = parseList(text).map((email) => email.toLowerCase());
  if (emails.some((email) => !/^[^@\s]*@[^@\s]+$/.test(email)))
    throw new Error("must list e-mail addresses or @domains");
  return emails;
}

function parseClients(text: string): ClientPolicy {
  if (text === "open" || text === "off") return text;
  const hosts = parseList(text).map((host) => host.toLowerCase());
  if (hosts.length === 0 || hosts.some((host) => !/^(?:[a-z0-9-]+\.)*[a-z0-9-]+:?$/.test(host)))
    throw new Error("must be open, off, or a list of hosts such as claude.ai, localhost or cursor:");
  return hosts;
}

/** Exactly 32 bytes in base64, as `openssl rand -base64 32` prints them. */
function parseKey(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 32 || bytes.toString("base64") !== text)
    throw new Error("must be 32 bytes in base64, as `openssl rand -base64 32` prints them");
  return new Uint8Array(bytes);
}

/** `age-keygen` writes comments above the identity. */
function parseIdentity(text: string): string {
  const line = text.split("\n").find((each) => each.startsWith("AGE-SECRET-KEY-"));
  if (line === undefined) throw new Error("must contain AGE-SECRET-KEY-1…, as age-keygen writes it");
  return line.trim();
}
