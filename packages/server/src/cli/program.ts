import { resolve } from "node:path";
import {
  addReadingCommands,
  Command,
  CommanderError,
  count,
  exitCodeHelp,
  openBrowser,
  type ReadingContext,
} from "@clew/cli";
import { connectedProvider } from "@clew/contract/settings";
import { oneLine } from "@clew/text/basics";
import { writeSecurityEvent } from "../auth/security-log.ts";
import { buildText, readBuild } from "../build.ts";
import { backup, recordOtherBackup } from "./backup.ts";
import { showConfig } from "./config.ts";
import { disconnectConnection, printConnections, requestConnectionSync } from "./connections.ts";
import { doctor } from "./doctor/doctor.ts";
import { health } from "./health.ts";
import { type CliContext, openLog } from "./installation.ts";
import { rotateKeys } from "./keys.ts";
import { resetLostKey } from "./lost-key.ts";
import { move } from "./move.ts";
import { movePersonTo } from "./move-person.ts";
import { restore } from "./restore.ts";
import { listTokens, revokeToken } from "./tokens.ts";
import { checkUpgrade, migrate } from "./upgrade.ts";
import { endAllSessions, listAccounts, printSignInCode, removeUser, signOutUser } from "./users.ts";
import { verify } from "./verify.ts";

/** A usage error in one line, with a hint. */
const usageError = (text: string) =>
  `${oneLine(text).replace(/\.$/, "")}. Run \`clew --help\` for the commands.\n`;

/** Commands that change or copy an installation: the security log records them. */
const recorded = new Set([
  "backup",
  "restore",
  "move",
  "move-person",
  "rotate",
  "reset",
  "revoke",
  "sign-out",
  "remove",
  "end",
  "sync",
  "disconnect",
]);

/** The parts of the process for the reading commands. Tests have a browser of their own. */
type Reading = Omit<ReadingContext, "env" | "openBrowser"> & Partial<Pick<ReadingContext, "openBrowser">>;

/**
 * The command line (OPS-7). Parsing throws commander's `CommanderError` after it has written help or a usage error. `serve`
 * serves, also the folders that it is given, until a signal stops it.
 */
export function buildProgram({
  serve,
  reading,
  ...context
}: CliContext & { serve(folders: readonly string[]): Promise<void>; readonly reading: Reading }): Command {
  const program = new Command("clew")
    .description(
      "A graph service over workspace pages. Settings are environment variables; `clew config` shows them.",
    )
    .option("-V, --version", "print the version, and the commit if it is known")
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(usageError(text)) })
    .exitOverride();

  // Not `program.version`, which would ask git before each command.
  program.on("option:version", () => {
    context.print(buildText(readBuild()));
    throw new CommanderError(0, "commander.version", "");
  });

  program
    .command("serve")
    .description("serve until SIGTERM or SIGINT")
    .argument("[paths...]", "folders of Markdown to serve beside the sources of the settings")
    .action((paths: readonly string[]) => serve(paths.map((path) => resolve(path))));
  program
    .command("migrate")
    .description("migrate the database to the schema of this version, as `clew serve` does when it starts")
    .action(() => migrate(context));
  program
    .command("upgrade")
    .description(
      "say what this version would do to the database: migrations, time, room; `clew migrate` does it",
    )
    .requiredOption("--check", "confirm that nothing is to be changed")
    .action(() => checkUpgrade(context));
  program
    .command("backup")
    .description("copy the database to a file, also while Clew is running, and check the copy")
    .argument("[path]", "the path of the copy, or with --keep its folder")
    .option("--force", "replace an existing file")
    .option("--encrypt", "encrypt the copy for BACKUP_RECIPIENTS, or with BACKUP_PASSPHRASE")
    .option(
      "--keep <number>",
      "name the copy clew-<time>.db, and keep this number of them in the folder",
      count(1, 10_000),
    )
    .option("--record", "make no copy: record for the metrics that pg_dump, for example, has made one")
    .action(
      (
        path: string | undefined,
        { record, ...options }: Parameters<typeof backup>[2] & { readonly record?: boolean },
        command: Command,
      ) => {
        if (record) return recordOtherBackup(context, path, options);
        if (path === undefined) command.error("error: missing required argument 'path'");
        return backup(context, path, options);
      },
    );
  program
    .command("restore")
    .description("replace the database by a backup; Clew must not be running")
    .argument("<file>", "a file that `clew backup` wrote")
    .action((file: string) => restore(context, file));
  program
    .command("move")
    .description("copy an embedded database into an empty PostgreSQL database; Clew must not be running")
    .option(
      "--to <url>",
      "the database, as postgres://…; other users of this machine can see a password in it: better set NEW_DATABASE_URL_FILE",
    )
    .action((options: { to?: string }) => move(context, options));
  program
    .command("move-person")
    .description(
      "move a person with all that is theirs to another bucket, while Clew is running; repeat it if it was interrupted",
    )
    .argument("<id>", "the user's id, as `clew users list` shows it")
    .requiredOption(
      "--to <bucket>",
      "the number of the bucket, by its place in DATABASE_URL; that which they are in takes back a move that is not complete",
      count(1, 8_192),
    )
    .action((id: string, options: { to: number }) => movePersonTo(context, id, options));
  program
    .command("verify")
    .description("check that a database is intact and that the key decrypts its secrets")
    .argument("[file]", "a backup; by default the installation's database")
    .action((file: string | undefined) => verify(context, file));
  program
    .command("config")
    .description("show every setting and where it comes from; secrets are not shown")
    .action(() => showConfig(context));
  program
    .command("health")
    .description("ask the Clew on this machine whether it is ready; exits with 4 if it is not")
    .option("--wait <seconds>", "ask again for so long while it is not ready", count(1, 3600))
    .action((options: { wait?: number }) => health({ ...context, fetch: reading.fetch }, options));
  program
    .command("doctor")
    .description("look for what is wrong: settings, database, disk, provider, clock; and say what to do")
    .option("--public", "look at Clew through PUBLIC_URL, as a hosted agent does, for faults of the proxy")
    .action((options: { public?: boolean }) => doctor({ ...context, fetch: reading.fetch }, options));

  program
    .command("sign-in-code")
    .description(
      `print a one-time sign-in code, if ${connectedProvider.settings.token} is set or folders are served to other machines`,
    )
    .action(() => printSignInCode(context));

  const keys = program.command("keys").description("the keys that sign session tokens and encrypt secrets");
  keys
    .command("rotate")
    .description("sign session tokens with a new key; all sessions continue")
    .option(
      "--revoke-old",
      "revoke the older keys, for example after a leak; all users have to sign in again",
    )
    .option("--encryption", "change the encryption key of secrets instead; Clew must not be running")
    .action((options: { revokeOld?: boolean; encryption?: boolean }) => rotateKeys(context, options));

  keys
    .command("reset")
    .description(
      "start anew with another encryption key after the loss of the key; all users have to sign in again, service tokens stay valid; Clew must not be running",
    )
    .requiredOption("--lost", "confirm that the key is lost, with what only it opens")
    .action(() => resetLostKey(context));

  const tokens = program.command("tokens").description("the service tokens of all users");
  tokens
    .command("list")
    .description("list usable tokens, newest first")
    .option("--all", "include revoked and expired tokens")
    .option("--json", "print JSON")
    .action((options: { all?: boolean; json?: boolean }) => listTokens(context, options));
  tokens
    .command("revoke")
    .description("revoke a token of any user permanently")
    .argument("<id>", "the token's id, as `clew tokens list` shows it")
    .action((id: string) => revokeToken(context, id));

  const users = program.command("users").description("the accounts of all users");
  users
    .command("list")
    .description("list accounts by last sign-in, and whether the allow lists permit them to use Clew")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) => listAccounts(context, options));
  users
    .command("sign-out")
    .description("end all sessions of a user at once; their service tokens stay valid")
    .argument("<id>", "the user's id, as `clew users list` shows it")
    .action((id: string) => signOutUser(context, id));
  users
    .command("remove")
    .description("delete an account with its sessions, service tokens and graphs, and revoke its grants")
    .argument("<id>", "the user's id, as `clew users list` shows it")
    .action((id: string) => removeUser(context, id));

  const connections = program
    .command("connections")
    .description("the connections of all users to workspaces, and their syncs");
  connections
    .command("list")
    .description("list connections with their owners, sizes, last and next syncs")
    .option("--failing", "only those whose owner has to sign in again or whose last sync failed")
    .option("--json", "print JSON")
    .action((options: { failing?: boolean; json?: boolean }) => printConnections(context, options));
  connections
    .command("sync")
    .description("request a sync; a running Clew begins it within seconds")
    .argument("<id>", "the connection's id, as `clew connections list` shows it")
    .option("--full", "read everything again, also what the provider's search does not list")
    .action((id: string, options: { full?: boolean }) => requestConnectionSync(context, id, options));
  connections
    .command("disconnect")
    .description("disconnect a workspace as its owner can: delete its graph, revoke its grant")
    .argument("<id>", "the connection's id, as `clew connections list` shows it")
    .action((id: string) => disconnectConnection(context, id));

  const sessions = program.command("sessions").description("the sessions of all users");
  sessions
    .command("end")
    .description("sign out all users at once; service tokens stay valid")
    .requiredOption("--all", "confirm that all sessions are to end")
    .action(() => endAllSessions(context));

  for (const command of program.commands) command.addHelpText("afterAll", `\n${exitCodeHelp("operating")}`);
  const { env } = context;
  addReadingCommands(program, { env, openBrowser: (address) => openBrowser(env, address), ...reading });

  for (const command of [...program.commands, ...program.commands.flatMap((group) => group.commands)])
    if (recorded.has(command.name())) recordCommand(command, context);
  return program;
}

/**
 * Writes an event to the security log, on standard error, when the command succeeds: its name, its arguments and the
 * names of its options, whose values may be secret.
 */
function recordCommand(command: Command, context: CliContext): void {
  command.hook("postAction", async () => {
    const given = command.options.filter(
      (option) => command.getOptionValueSource(option.attributeName()) === "cli",
    );
    const words = [...namesOf(command), ...command.args, ...given.map(({ long, short }) => long ?? short)];
    const event = { event: "operator_command", outcome: "success", command: words.join(" ") } as const;
    writeSecurityEvent(await openLog(context), event);
  });
}

/** The words that call a command, without the program's own name. */
function namesOf(command: Command): string[] {
  return command.parent === null ? [] : [...namesOf(command.parent), command.name()];
}
