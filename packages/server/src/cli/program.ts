import { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { backup } from "./backup.ts";
import { showConfig } from "./config.ts";
import type { CliContext } from "./context.ts";
import { rotateKeys } from "./keys.ts";
import { migrate } from "./migrate.ts";
import { recordCommand } from "./record-command.ts";
import { restore } from "./restore.ts";
import { endAllSessions } from "./sessions.ts";
import { printSignInCode } from "./sign-in-code.ts";
import { listTokens, revokeToken } from "./tokens.ts";
import { listAccounts, removeUser, signOutUser } from "./users.ts";
import { verify } from "./verify.ts";

/** What the process itself does, and no command of this folder. */
interface Process extends CliContext {
  /** Serves until it is told to stop. */
  readonly serve: () => Promise<void>;
}

/** A usage error in one line, with the way on. */
const oneLine = (text: string) =>
  `${text.trim().replaceAll("\n", " ")}. Run \`clew --help\` for the commands.\n`;

/** The commands that change an installation or copy it: the security log tells of them. */
const recorded = new Set(["backup", "restore", "rotate", "revoke", "sign-out", "remove", "end"]);

/** The command line (OPS-7). Parsing throws commander's `CommanderError` after it has written help or a usage error. */
export function buildProgram({ serve, ...context }: Process): Command {
  const program = new Command("clew")
    .description(
      "A graph service over workspace pages. Settings are environment variables; see `clew config`.",
    )
    .version(manifest.version)
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) })
    .exitOverride();

  program.command("serve").description("serve until SIGTERM or SIGINT").action(serve);
  program
    .command("migrate")
    .description("bring the database to this program's schema, as a start does")
    .action(() => migrate(context));
  program
    .command("backup")
    .description("copy the database to a file, also while Clew serves it")
    .argument("<file>", "where the copy goes")
    .option("--force", "replace a file that is there already")
    .option("--encrypt", "encrypt it for BACKUP_RECIPIENTS, or with BACKUP_PASSPHRASE")
    .action((file: string, options: { force?: boolean; encrypt?: boolean }) =>
      backup(context, file, options),
    );
  program
    .command("restore")
    .description("put a backup in the place of the database; Clew must not run")
    .argument("<file>", "what `clew backup` made")
    .action((file: string) => restore(context, file));
  program
    .command("verify")
    .description("check that a database is whole and that the key opens its secrets")
    .argument("[file]", "a backup; the installation's own database where it is left out")
    .action((file: string | undefined) => verify(context, file));
  program
    .command("config")
    .description("show every setting with where it comes from; secrets are not shown")
    .action(() => showConfig(context));

  program
    .command("sign-in-code")
    .description("print a one-time code for signing in where NOTION_TOKEN is set")
    .action(() => printSignInCode(context));

  const keys = program.command("keys").description("the keys that sign session tokens and encrypt secrets");
  keys
    .command("rotate")
    .description("let a new key sign from now on; nobody is signed out")
    .option(
      "--revoke-old",
      "an older key leaked: refuse what it signed at once, so that everybody signs in again",
    )
    .option("--encryption", "change the key that secrets are encrypted with; Clew must not run")
    .action((options: { revokeOld?: boolean; encryption?: boolean }) => rotateKeys(context, options));

  const tokens = program.command("tokens").description("everybody's service tokens");
  tokens
    .command("list")
    .description("list those that are usable, newest first")
    .option("--all", "also those that are revoked or expired")
    .option("--json", "as JSON")
    .action((options: { all?: boolean; json?: boolean }) => listTokens(context, options));
  tokens
    .command("revoke")
    .description("revoke a token for good, whoever's it is")
    .argument("<id>", "the token's id, as `clew tokens list` shows it")
    .action((id: string) => revokeToken(context, id));

  const users = program.command("users").description("everybody who has an account");
  users
    .command("list")
    .description("list them, who signed in last first, and whether the lists let them use Clew")
    .option("--json", "as JSON")
    .action((options: { json?: boolean }) => listAccounts(context, options));
  users
    .command("sign-out")
    .description("end all sessions of a user at once; their service tokens go on")
    .argument("<id>", "the user's id, as `clew users list` shows it")
    .action((id: string) => signOutUser(context, id));
  users
    .command("remove")
    .description("delete an account with its sessions, service tokens and graphs, and revoke its grants")
    .argument("<id>", "the user's id, as `clew users list` shows it")
    .action((id: string) => removeUser(context, id));

  const sessions = program.command("sessions").description("everybody's sessions");
  sessions
    .command("end")
    .description("sign everybody out at once; service tokens go on")
    .requiredOption("--all", "all sessions of everybody")
    .action(() => endAllSessions(context));

  for (const command of [...program.commands, ...program.commands.flatMap((group) => group.commands)])
    if (recorded.has(command.name())) recordCommand(command, context);
  return program;
}
