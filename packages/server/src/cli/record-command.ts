import type { Command } from "commander";
import { writeSecurityEvent } from "../auth/security-log.ts";
import type { CliContext } from "./context.ts";

/**
 * Tells the security log of each time that a command has succeeded, on the standard error: its name and arguments, and
 * the options that were given without their values, which may be secret.
 */
export function recordCommand(command: Command, { writeLog }: Pick<CliContext, "writeLog">): void {
  command.hook("postAction", async () => {
    const given = command.options.filter(
      (option) => command.getOptionValueSource(option.attributeName()) === "cli",
    );
    const words = [...namesOf(command), ...command.args, ...given.map(({ long, short }) => long ?? short)];
    // Commands that are not recorded start sooner without it.
    const { pino } = await import("pino");
    const log = pino({ base: null }, { write: writeLog });
    writeSecurityEvent(log, { event: "operator_command", outcome: "success", command: words.join(" ") });
  });
}

/** The words that call a command, without the program's own name. */
function namesOf(command: Command): string[] {
  return command.parent === null ? [] : [...namesOf(command.parent), command.name()];
}
