import { resolve } from "node:path";

/** The environment, as `process.env` is. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads one setting. Throws an `Error` whose message says what the value must be; the value is not repeated. */
type Parse<Value> = (text: string) => Value;

export const text: Parse<string> = (value) => value;

/** A secret that is sent in a header. */
export const token: Parse<string> = (value) => {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new Error("must be one word of ASCII characters");
  return value;
};

export const path: Parse<string> = (value) => resolve(value);

export const flag: Parse<boolean> = (value) => {
  if (["1", "true", "yes", "on"].includes(value.toLowerCase())) return true;
  if (["0", "false", "no", "off"].includes(value.toLowerCase())) return false;
  throw new Error("must be 1 or 0");
};

export const integer =
  (minimum: number, maximum: number): Parse<number> =>
  (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return number;
  };

export const url: Parse<URL> = (value) => {
  const parsed = URL.parse(value);
  if (!parsed || !["http:", "https:"].includes(parsed.protocol))
    throw new Error("must be an http or https URL");
  if (parsed.search || parsed.hash) throw new Error("must have neither query nor fragment");
  if (parsed.username || parsed.password) throw new Error("must hold no user name or password");
  return parsed;
};

export const list: Parse<readonly string[]> = (value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export const oneOf =
  <const Words extends readonly string[]>(words: Words): Parse<Words[number]> =>
  (value) => {
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw new Error(`must be one of ${words.join(", ")}`);
    return word;
  };

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `2h`, `7d`, or `0`: milliseconds. */
export const duration: Parse<number> = (value) => {
  if (value === "0") return 0;
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  if (amount === undefined || unit === undefined)
    throw new Error("must be a time such as 90s, 15m, 2h or 7d, or 0");
  return Number(amount) * (units[unit] ?? 0);
};

const byteUnits: Readonly<Record<string, number>> = {
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/** `500MiB`, `16 GiB`, or `0`: bytes. */
export const bytes: Parse<number> = (value) => {
  if (value === "0") return 0;
  const [, amount, unit] = /^(\d{1,6}) ?([KMGT]iB)$/.exec(value) ?? [];
  if (amount === undefined || unit === undefined)
    throw new Error("must be a size such as 500MiB or 16GiB, or 0");
  return Number(amount) * (byteUnits[unit] ?? 0);
};

/** Exactly 32 bytes in base64, as `openssl rand -base64 32` prints them. */
export const key256: Parse<Uint8Array> = (value) => {
  const bytes = Buffer.from(value, "base64");
  if (bytes.length !== 32 || bytes.toString("base64") !== value)
    throw new Error("must be 32 bytes in base64");
  return new Uint8Array(bytes);
};

/** A path of an embedded database, written as `sqlite:PATH`. */
export const sqlitePath: Parse<string> = (value) => {
  if (/^postgres(ql)?:/.test(value))
    throw new Error("names PostgreSQL, which this version does not support yet");
  if (!/^sqlite:./.test(value)) throw new Error("must be sqlite:PATH");
  return resolve(value.slice("sqlite:".length));
};

/** Collects every fault of the environment, so that one start names them all. */
export interface SettingsReader {
  /** The value of a setting, or undefined where it is absent, empty or faulty. */
  read<Value>(name: string, parse: Parse<Value>): Value | undefined;
  fault(name: string, message: string): void;
  readonly faults: readonly string[];
}

/** Reads settings from an environment; `readFile` serves those given as `NAME_FILE`. */
export function settingsReader(env: Environment, readFile: (path: string) => string): SettingsReader {
  const faults: string[] = [];
  const fault = (name: string, message: string) => void faults.push(`${name} ${message}`);
  const rawValue = (name: string): string | undefined => {
    const file = env[`${name}_FILE`];
    const value = env[name];
    if (!file) return value;
    if (value) {
      fault(name, `is set twice: also as ${name}_FILE`);
      return undefined;
    }
    try {
      return readFile(file).trim();
    } catch {
      fault(`${name}_FILE`, "names a file that cannot be read");
      return undefined;
    }
  };
  return {
    faults,
    fault,
    read: (name, parse) => {
      const value = rawValue(name);
      if (value === undefined || value === "") return undefined;
      try {
        return parse(value);
      } catch (error) {
        fault(name, error instanceof Error ? error.message : "is not valid");
        return undefined;
      }
    },
  };
}
