import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { workspacesQuery } from "../../api/queries.ts";
import { paths } from "../../paths.ts";
import { signInUrl } from "../../session/urls.ts";
import { PlusIcon } from "../../ui/icons.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { View } from "../../ui/view.tsx";
import { newTokenWords, tokenWords } from "../../words.ts";
import { usableTokens } from "./limits.ts";
import { activeTokensQuery, expiringSoon, unusedForLong } from "./lists.ts";
import { PastTokens } from "./past-tokens.tsx";
import { useTokenActions } from "./token-actions.tsx";
import { TokenTable } from "./token-table.tsx";

const leadOf = (used: number) =>
  used >= usableTokens ? tokenWords.full : tokenWords.lead(used, usableTokens);

/** The tokens in use, those that ended, and the way to a new one. */
export function TokensView() {
  const api = useApi();
  const query = useQuery(activeTokensQuery(api));
  const { data: workspaces } = useQuery(workspacesQuery(api));
  const actions = useTokenActions(query.data?.length ?? 0);
  const [filter, setFilter] = useState("");
  if (actions.revealed !== null) return actions.revealed;

  const used = query.data?.length;
  const isFull = used !== undefined && used >= usableTokens;
  const hasNoWorkspace = workspaces?.length === 0;
  const matches = (name: string) => name.toLowerCase().includes(filter.trim().toLowerCase());
  return (
    <View
      title={tokenWords.title}
      lead={used === undefined ? undefined : leadOf(used)}
      actions={
        isFull || hasNoWorkspace || used === 0 ? undefined : (
          <Link to={paths.newToken} className="button button-primary">
            <PlusIcon size={18} />
            {tokenWords.create}
          </Link>
        )
      }
    >
      <Loaded query={query}>
        {(tokens) =>
          tokens.length === 0 ? (
            <Empty
              title={tokenWords.none}
              action={
                hasNoWorkspace ? (
                  <a className="button button-primary" href={signInUrl}>
                    {tokenWords.connect}
                  </a>
                ) : (
                  <Link to={paths.newToken} className="button button-primary">
                    {tokenWords.create}
                  </Link>
                )
              }
            >
              {hasNoWorkspace ? tokenWords.noWorkspace : tokenWords.noneWhat}
            </Empty>
          ) : (
            <>
              <Banners tokens={tokens} />
              <input
                type="search"
                className="input max-w-xs"
                aria-label={tokenWords.filter}
                placeholder={tokenWords.filter}
                value={filter}
                onChange={({ target }) => setFilter(target.value)}
              />
              {tokens.some(({ name }) => matches(name)) ? (
                <TokenTable
                  caption={tokenWords.list}
                  tokens={tokens.filter(({ name }) => matches(name))}
                  actions={actions}
                />
              ) : (
                <p className="text-quiet">{tokenWords.noMatch}</p>
              )}
            </>
          )
        }
      </Loaded>
      <PastTokens />
      {actions.dialog}
    </View>
  );
}

function Banners({ tokens }: { tokens: Parameters<typeof expiringSoon>[0] }) {
  const names = (list: typeof tokens) => newTokenWords.and(list.map(({ name }) => `“${name}”`));
  const ending = expiringSoon(tokens, Date.now());
  const unused = unusedForLong(tokens, Date.now());
  return (
    <>
      {ending.length === 0 ? null : (
        <Notice kind="warn">{tokenWords.banner.expiring(names(ending), ending.length)}</Notice>
      )}
      {unused.length === 0 ? null : <Notice>{tokenWords.banner.unused(names(unused))}</Notice>}
    </>
  );
}
