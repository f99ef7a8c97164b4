import { captureOutput } from "@clew/cli/testing";
import "../../store/testing/repeat-transactions.ts";
import { randomBytes } from "node:crypto";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createSigningKeys, type SigningKeys } from "../../auth/signing-keys.ts";
import type { RandomBytes } from "../../model/runtime.ts";
import { keyFileOf, openSecrets } from "../../secrets/open-secrets.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { openDatabase } from "../../store/database.ts";
import type { Database } from "../../store/port.ts";
import { openSession } from "../../store/queries/sessions.ts";
import { upsertUser } from "../../store/queries/users.ts";
import { scratchRoot } from "../../store/testing/location.ts";
import { buildProgram } from "../program.ts";

/** An open installation, as in a running Clew. */
interface Opened {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly keys: SigningKeys;
  /** Adds a user and a session, both with this id, and a name long enough to fill pages. */
  add(id: string): Promise<void>;
  users(): Promise<string[]>;
}

/** An installation in a temporary folder, and the commands that work on it. */
export interface TestInstallation {
  readonly folder: string;
  readonly path: string;
  readonly keyFile: string;
  /** Runs `work` on the open installation, and closes it properly. */
  with<Result>(work: (opened: Opened) => Promise<Result>): Promise<Result>;
  /** Runs `work` on the open database alone, whatever the key. */
  withoutKey<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  /** The same as `with`, but leaves its files as a killed process would. */
  killedAfter(work: (opened: Opened) => Promise<void>): Promise<void>;
  /** Runs a command in this process, and returns what it printed. */
  run(...words: string[]): Promise<string>;
  /** Settings besides DATA_DIR. */
  settings: Readonly<Record<string, string>>;
  /** The source of random bytes for commands. */
  random: RandomBytes;
  /** The current time for the installation's programs. */
  now: number;
  /** Takes the lines of the log of commands. */
  writeLog: (line: string) => void;
}

export async function testInstallation(t: Pick<TestContext, "after">): Promise<TestInstallation> {
  const folder = await mkdtemp(join(scratchRoot, "clew-installation-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "clew.db");
  const installation: TestInstallation = {
    folder,
    settings: {},
    random: randomBytes,
    path,
    keyFile: keyFileOf(folder),
    now: Date.UTC(2031, 2, 4),
    writeLog: () => {},
    with: (work) => installation.withoutKey(async (database) => work(await open(installation, database))),
    async withoutKey(work) {
      const database = await openDatabase({ location: { kind: "sqlite", path } });
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    },
    async killedAfter(work) {
      const aside = join(folder, "as-it-was");
      await installation.with(async (opened) => {
        await work(opened);
        for (const suffix of ["", "-wal", "-shm"]) await copyFile(path + suffix, aside + suffix);
      });
      for (const suffix of ["", "-wal", "-shm"]) {
        await copyFile(aside + suffix, path + suffix);
        await rm(aside + suffix);
      }
    },
    async run(...words) {
      const lines: string[] = [];
      const program = buildProgram({
        env: { DATA_DIR: folder, ...installation.settings },
        fromEnvFile: new Set(),
        clock: () => installation.now,
        random: installation.random,
        print: (line) => lines.push(line),
        writeLog: installation.writeLog,
        serve: async () => {
          throw new Error("it served");
        },
        reading: captureOutput().reading,
      });
      await program.parseAsync(words, { from: "user" });
      return lines.join("\n");
    },
  };
  return installation;
}

async function open(installation: TestInstallation, database: Database): Promise<Opened> {
  const clock = () => installation.now;
  const given = installation.settings.ENCRYPTION_KEY;
  const encryptionKey = given === undefined ? null : new Uint8Array(Buffer.from(given, "base64"));
  const settings = { encryptionKey, dataDir: installation.folder };
  const secrets = await openSecrets(settings, database, randomBytes);
  return {
    database,
    secrets,
    keys: await createSigningKeys({ database, secrets, clock, random: randomBytes }),
    add: (id) =>
      database.transaction(async (trx) => {
        const person = { provider: "stand-in", providerUserId: id, email: null, avatarUrl: null };
        await upsertUser(trx, { newId: id, name: id.repeat(200), ...person }, 1);
        await openSession(trx, { id, userId: id, userAgent: null, createdAt: 1, refreshExpiresAt: 2 ** 50 });
      }),
    async users() {
      const rows = await database.read.selectFrom("users").select("id").orderBy("id").execute();
      return rows.map(({ id }) => id);
    },
  };
}
