import type { Client } from "@clew/client";
import { type Command, InvalidArgumentError } from "commander";
import { openClient, type ReadingContext, readingError, withCoverage } from "./connect.ts";
import { exitCodeHelp } from "./exit-codes.ts";

const environment = `
Environment:
  CLEW_URL         the address of Clew, for example https://clew.example.org
  CLEW_TOKEN       a service token (svc_…), created in the dashboard; never an argument
  CLEW_TOKEN_FILE  a file that holds the token, instead of CLEW_TOKEN
After \`clew login\`, none of them is needed.

On a terminal, items are a table; otherwise each is a line of JSON, as the API has it.
${exitCodeHelp("reading")}`;

export const pageHelp = "a page or database: its URL, id, short id, title, place, or `title [short id]`";

/** The heading of these commands in the help. */
export const readingGroup = "Commands that read a Clew over its API, with CLEW_URL and CLEW_TOKEN:";

/** The program as the functions that add a command see it. */
export class ReadingCommands {
  readonly context: ReadingContext;
  readonly #program: Command;

  constructor(program: Command, context: ReadingContext) {
    this.#program = program;
    this.context = context;
  }

  add(name: string, description: string): Command {
    return this.#program
      .command(name)
      .description(description)
      .helpGroup(readingGroup)
      .addHelpText("after", environment);
  }

  /** An action that works with a client: it gets the command's arguments, then its options. */
  action<Words extends readonly unknown[]>(work: (client: Client, ...words: Words) => Promise<void>) {
    return async (...words: Words): Promise<void> => {
      const client = openClient(this.context);
      try {
        await work(client, ...words);
      } catch (error) {
        throw await withCoverage(client, readingError(error, this.context.env));
      }
    };
  }
}

/** A whole number within bounds, for an option. */
export function count(minimum: number, maximum: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}
