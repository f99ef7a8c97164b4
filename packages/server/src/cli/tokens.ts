import { plainText, table } from "@clew/cli";
import { revokeAnyServiceToken } from "../auth/service-tokens.ts";
import { presentServiceToken } from "../present/token.ts";
import { listAllServiceTokens } from "../store/queries/service-tokens.ts";
import { type CliContext, CommandError, firstOf, withBuckets } from "./installation.ts";

/** Lists the service tokens of all users, newest first; only usable ones unless `all` is set. */
export async function listTokens(
  context: CliContext,
  { all = false, json = false }: { readonly all?: boolean; readonly json?: boolean },
): Promise<void> {
  const { print } = context;
  await withBuckets(context, async (buckets) => {
    const listed = await Promise.all(
      buckets.map(async ({ database, clock, config }) => {
        const at = { now: clock(), publicUrl: config.publicUrl };
        const ofBucket = await listAllServiceTokens(database.read);
        return ofBucket.map(({ token, owner }) => ({ owner, ...presentServiceToken(token, at) }));
      }),
    );
    const tokens = listed.flat().filter(({ is_active }) => all || is_active);
    if (json) return print(JSON.stringify(tokens, null, 2));
    if (tokens.length === 0) return print("There are no service tokens to list.");
    const rows = tokens.map(({ id, prefix, name, owner, status, last_used_at, expires_at }) => ({
      id: String(id),
      prefix,
      name,
      owner,
      status,
      "last used": last_used_at ?? "never",
      expires: expires_at ?? "never",
    }));
    for (const line of table(rows)) print(line);
  });
}

/** Revokes a token of any user permanently, at once on every instance (TOK-8). */
export async function revokeToken(context: CliContext, id: string): Promise<void> {
  await withBuckets(context, async (buckets) => {
    const token = await firstOf(buckets, (bucket) => revokeAnyServiceToken(bucket, id));
    if (token === null)
      throw new CommandError(
        `There is no service token ${plainText(id)}. \`clew tokens list --all\` shows the ids.`,
      );
    context.print(`The token ${token.id} (${token.prefix}…, “${plainText(token.name)}”) is revoked.`);
  });
}
