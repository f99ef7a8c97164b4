import type { ServiceToken } from "../../model/service-token.ts";
import type { Db } from "../../store/database.ts";
import { listServiceTokens } from "../../store/service-tokens.ts";

/** Which of a user's tokens to list. */
interface Page {
  readonly now: number;
  /** Usable tokens alone, or the others alone; both where undefined. */
  readonly isActive: boolean | undefined;
  /** Where the page before ended. */
  readonly beforeId: number | undefined;
  readonly limit: number;
}

/**
 * One page of a user's tokens, newest first; `next` is where the page after begins, null at the end (TOK-7).
 */
export async function pageOfServiceTokens(
  db: Db,
  userId: string,
  page: Page,
): Promise<{ tokens: ServiceToken[]; next: number | null }> {
  const found = await listServiceTokens(db, userId, { ...page, limit: page.limit + 1 });
  const tokens = found.slice(0, page.limit);
  return { tokens, next: found.length > tokens.length ? (tokens.at(-1)?.id ?? null) : null };
}
