import type { ServiceToken } from "@clew/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApi } from "../../api/app-context.ts";
import { workspacesQuery } from "../../api/queries.ts";
import { paths } from "../../paths.ts";
import { Time } from "../../ui/time.tsx";
import type { TokenActions } from "./token-actions.tsx";
import { TokenStatus } from "./token-status.tsx";
import { UseSparkline } from "./use-sparkline.tsx";
import { firstCallWords, tokenWords } from "./words.ts";

const [nameHead, statusHead, usedHead, endHead, actionsHead] = tokenWords.columns;

/** Tokens, one a row; in a narrow window each is a block. */
export function TokenTable({
  caption,
  tokens,
  actions,
}: {
  caption: string;
  tokens: readonly ServiceToken[];
  /** Without them the tokens have ended. */
  actions?: TokenActions;
}) {
  const heads = [nameHead, statusHead, usedHead, endHead, ...(actions ? [actionsHead] : [])];
  return (
    <StackedTable caption={caption} heads={heads}>
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} actions={actions} />
      ))}
    </StackedTable>
  );
}

/** A table whose rows are blocks in a narrow window. Its cells are `Cell`, or a `th` for the name of the row. */
export function StackedTable({
  caption,
  heads,
  children,
}: {
  caption: string;
  heads: readonly (string | undefined)[];
  children: ReactNode;
}) {
  return (
    <div className="card overflow-hidden">
      <table className="table table-stacked" aria-label={caption}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head === actionsHead ? <span className="sr-only">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function TokenRow({ token, actions }: { token: ServiceToken; actions: TokenActions | undefined }) {
  const { id, name, prefix, client } = token;
  const workspaces = useWorkspaceNames(token.workspace_ids);
  return (
    <tr>
      <th scope="row" className="w-full">
        <Link className="link" to={paths.token} params={{ tokenId: String(id) }}>
          <bdi>{name}</bdi>
        </Link>
        {client === null ? null : <bdi className="block text-sm font-normal text-quiet">{client.host}</bdi>}
        <span className="block text-sm font-normal text-quiet">
          <code className="font-mono">{prefix}…</code> · {tokenWords.reads(workspaces.join(", "))}
        </span>
      </th>
      <Cell head={statusHead}>
        <TokenStatus token={token} />
      </Cell>
      <Cell head={usedHead}>
        <TokenUse token={token} />
      </Cell>
      <Cell head={endHead}>
        <TokenEnd token={token} />
      </Cell>
      {actions === undefined ? null : (
        <Cell head={actionsHead} isMenu>
          {actions.menuFor(token)}
        </Cell>
      )}
    </tr>
  );
}

export function Cell({
  head,
  isMenu = false,
  children,
}: {
  head: string | undefined;
  /** Whether it holds a menu, whose button is taller than a line. */
  isMenu?: boolean;
  children: ReactNode;
}) {
  return (
    <td data-head={head} className={isMenu ? "lg:py-0 lg:pl-0 lg:align-middle!" : undefined}>
      <div>{children}</div>
    </td>
  );
}

/** The last use of a token, and its use of a week. */
export function TokenUse({ token: { id, client, last_used_at } }: { token: ServiceToken }) {
  // A program that a person has connected is about to call.
  if (last_used_at === null) return client === null ? tokenWords.never : firstCallWords.waiting;
  return (
    <>
      <Time value={last_used_at} />
      <UseSparkline tokenId={id} />
    </>
  );
}

/** The end of the token, to come or past. */
export function TokenEnd({ token }: { token: ServiceToken }) {
  const { status, revoked_at, expires_at } = token;
  if (revoked_at !== null)
    return (
      <>
        {status === "revoked" ? tokenWords.revokedAt : tokenWords.stops} <Time value={revoked_at} />
      </>
    );
  return expires_at === null ? tokenWords.never : <Time value={expires_at} />;
}

/** The names of workspaces by their ids. */
export function useWorkspaceNames(ids: readonly string[]): string[] {
  const { data = [] } = useQuery(workspacesQuery(useApi()));
  return ids.map((id) => {
    const workspace = data.find((each) => each.id === id);
    return workspace === undefined ? tokenWords.lostWorkspace : (workspace.name ?? id);
  });
}
