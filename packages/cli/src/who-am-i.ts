import type { ReadingCommands } from "./commands.ts";
import { readCredentials } from "./credentials.ts";
import { addressOf } from "./login-files.ts";
import { isForPeople, jsonLine, minute, type Printing, safeText, tableText, write } from "./output.ts";

export function whoAmI(commands: ReadingCommands): void {
  const { context } = commands;
  commands
    .add("whoami", "show the token, and the workspaces that it opens")
    .option("--json", "print JSON lines")
    .action(
      commands.action(async (client, { json }: Printing) => {
        const token = await client.getPresentedToken();
        const { items } = await client.listWorkspaces();
        const { url, source } = readCredentials(context.env);
        if (!isForPeople(context, json))
          return write(context, jsonLine({ clew: addressOf(url), source, token, workspaces: items }));
        const facts = [
          `clew        ${addressOf(url)}`,
          `from        ${source}`,
          `token       ${token.name} (${token.prefix}…)`,
          `scopes      ${token.scopes.join(", ")}`,
          `expires     ${token.expires_at === null ? "never" : minute(token.expires_at)}`,
        ];
        await write(context, safeText(`${facts.join("\n")}\n\n`));
        const rows = items.map(({ id, name, nodes, edges, last_synced_at }) => ({
          workspace: name ?? "",
          id,
          pages: String(nodes),
          links: String(edges),
          synced: last_synced_at === null ? "never" : minute(last_synced_at),
        }));
        await write(context, tableText(rows, "workspace", context.stdout.columns || 80));
      }),
    );
}
