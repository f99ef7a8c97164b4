import type { Secrets } from "../secrets/secrets.ts";
import type { ReadHandle } from "../store/port.ts";
import { type SealedGrant, sealedGrant } from "../store/queries/connections.ts";

/** The tokens of a grant, in the open. They are never logged, and never stored but sealed (SIGN-8). */
export interface GrantTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

/** Whose grant it is: its sealed tokens open for no other. */
type Owner = Pick<SealedGrant, "userId" | "workspaceId">;

/** What a sealed access token is bound to. */
export const accessContext = ({ userId, workspaceId }: Owner) => `grant:${userId}:${workspaceId}`;
export const refreshContext = ({ userId, workspaceId }: Owner) => `grant-refresh:${userId}:${workspaceId}`;

/** Seals the tokens of a grant for storage. */
export function sealTokens(
  secrets: Pick<Secrets, "seal">,
  owner: Owner,
  { accessToken, refreshToken }: GrantTokens,
): Pick<SealedGrant, "accessToken" | "refreshToken"> {
  const seal = (token: string, context: string) => secrets.seal(Buffer.from(token), context);
  return {
    accessToken: seal(accessToken, accessContext(owner)),
    refreshToken: refreshToken === null ? null : seal(refreshToken, refreshContext(owner)),
  };
}

/** The tokens of a connection as they are now; null where the connection is gone. Throws `SecretsError`. */
export async function openTokens(
  db: ReadHandle,
  secrets: Pick<Secrets, "open">,
  connectionId: number,
): Promise<GrantTokens | null> {
  const grant = await sealedGrant(db, connectionId);
  if (grant === null) return null;
  const open = (sealed: Uint8Array, context: string) => Buffer.from(secrets.open(sealed, context)).toString();
  const { accessToken, refreshToken } = grant;
  return {
    accessToken: open(accessToken, accessContext(grant)),
    refreshToken: refreshToken === null ? null : open(refreshToken, refreshContext(grant)),
  };
}
