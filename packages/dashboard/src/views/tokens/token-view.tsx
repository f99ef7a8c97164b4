import type { ServiceToken } from "@clew/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApi } from "../../api/app-context.ts";
import { paths } from "../../paths.ts";
import { AuditTable } from "../../ui/audit-table.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { ExactTime, Time } from "../../ui/time.tsx";
import { describeAgent } from "../../ui/user-agent.ts";
import { View } from "../../ui/view.tsx";
import { scopeWords } from "../../words.ts";
import { activeTokensQuery, tokenQuery } from "./lists.ts";
import { Reading } from "./reading/reading.tsx";
import { ToolList } from "./review.tsx";
import { useTokenActions } from "./token-actions.tsx";
import { TokenStatus } from "./token-status.tsx";
import { TokenEnd, useWorkspaceNames } from "./token-table.tsx";
import { appWords, tokenWords } from "./words.ts";

const route = getRouteApi(paths.token);

/** One token: what it can do, and what happened with it. */
export function TokenView() {
  const id = Number(route.useParams().tokenId);
  const query = useQuery(tokenQuery(useApi(), id));
  return (
    <Loaded query={query}>
      {(token) =>
        token === null ? (
          <View title={tokenWords.gone} lead={tokenWords.goneWhat}>
            <Back />
          </View>
        ) : (
          <Token token={token} />
        )
      }
    </Loaded>
  );
}

function Token({ token }: { token: ServiceToken }) {
  const { data: active = [] } = useQuery(activeTokensQuery(useApi()));
  const actions = useTokenActions(active.length);
  const workspaces = useWorkspaceNames(token.workspace_ids);
  const { prefix, client, scopes, created_at, created_by_browser, last_used_at } = token;
  if (actions.revealed !== null) return actions.revealed;
  return (
    <View
      title={token.name}
      lead={
        <span className="flex flex-wrap items-center gap-3">
          <TokenStatus token={token} />
          {client === null ? null : appWords.one}
        </span>
      }
      actions={token.is_active ? actions.buttonsFor(token) : undefined}
    >
      <Reading token={token} />
      <dl className="card grid gap-x-8 gap-y-4 p-5 sm:grid-cols-2 lg:grid-cols-4">
        <Fact term={tokenWords.prefix}>
          <code className="font-mono text-sm">{prefix}…</code>
        </Fact>
        <Fact term={tokenWords.created}>
          <ExactTime value={created_at} />
          {created_by_browser === null ? null : (
            <span className="block text-sm text-quiet" title={created_by_browser}>
              {appWords.from(describeAgent(created_by_browser))}
            </span>
          )}
        </Fact>
        <Fact term={tokenWords.lastUsed}>
          {last_used_at === null ? tokenWords.never : <Time value={last_used_at} />}
        </Fact>
        <Fact term={tokenWords.expires}>
          <TokenEnd token={token} />
        </Fact>
        {client === null ? null : (
          <>
            <Fact term={appWords.host} width="wide">
              <bdi>{client.host}</bdi>
            </Fact>
            <Fact term={appWords.opens} width="wide">
              <code className="font-mono text-sm">{client.resource}</code>
            </Fact>
          </>
        )}
        <Fact term={tokenWords.canRead} width="wide">
          {workspaces.join(", ")}
        </Fact>
        <Fact term={tokenWords.canDo} width="wide">
          <ul>
            {scopes.map((scope) => (
              <li key={scope}>
                {scopeWords[scope]} <code className="font-mono text-sm text-quiet">{scope}</code>
              </li>
            ))}
          </ul>
        </Fact>
        <Fact term={tokenWords.tools} width="full">
          <ToolList scopes={scopes} />
        </Fact>
      </dl>
      <Trail id={token.id} />
      <Back />
      {actions.dialog}
    </View>
  );
}

const factWidths = { narrow: "", wide: "sm:col-span-2", full: "col-span-full" } as const;

function Fact({
  term,
  width = "narrow",
  children,
}: {
  term: string;
  width?: keyof typeof factWidths;
  children: ReactNode;
}) {
  return (
    <div className={`grid content-start gap-1 ${factWidths[width]}`}>
      <dt className="text-sm text-quiet">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Trail({ id }: { id: number }) {
  const api = useApi();
  const query = useInfiniteQuery({
    queryKey: ["audit", id],
    queryFn: ({ pageParam, signal }) =>
      api.listAuditTrail({ token_id: id, ...(pageParam === null ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <section className="grid gap-3">
      <h2 className="text-lg font-semibold">{tokenWords.trail}</h2>
      <Loaded query={query}>
        {({ pages }) => (
          <AuditTable
            caption={tokenWords.trail}
            lines={pages.flatMap(({ items }) => items)}
            namesTokens={false}
          />
        )}
      </Loaded>
      <MoreButton query={query} label={tokenWords.more} />
    </section>
  );
}

function Back() {
  return (
    <p>
      <Link className="link" to={paths.tokens}>
        {tokenWords.all}
      </Link>
    </p>
  );
}
