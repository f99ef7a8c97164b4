import type { ServiceToken } from "@clew/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { workspacesQuery } from "../../api/queries.ts";
import { paths } from "../../paths.ts";
import { ConnectSource } from "../../ui/connect-source.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { View } from "../../ui/view.tsx";
import { newTokenWords } from "../../words.ts";
import { ConnectedApps } from "./connected-apps.tsx";
import { usableTokens } from "./limits.ts";
import { activeTokensQuery, expiringSoon, unusedForLong } from "./lists.ts";
import { PastTokens } from "./past-tokens.tsx";
import { type TokenActions, useTokenActions } from "./token-actions.tsx";
import { TokenTable } from "./token-table.tsx";
import { tokenWords } from "./words.ts";

const leadOf = (used: number) =>
  used >= usableTokens ? tokenWords.full : tokenWords.lead(used, usableTokens);

/** The tokens made by hand and those of connected apps, those that ended, and the way to a new one. */
export function TokensView() {
  const api = useApi();
  const query = useQuery(activeTokensQuery(api));
  const { data: workspaces } = useQuery(workspacesQuery(api));
  const actions = useTokenActions(query.data?.length ?? 0);
  const ownId = useId();
  if (actions.revealed !== null) return actions.revealed;

  const used = query.data?.length;
  const isFull = used !== undefined && used >= usableTokens;
  const hasNoWorkspace = workspaces?.length === 0;
  const hasNoOwn = query.data?.every(({ client }) => client !== null) === true;
  return (
    <View
      title={tokenWords.title}
      lead={used === undefined ? undefined : leadOf(used)}
      actions={
        isFull || hasNoWorkspace || hasNoOwn ? undefined : (
          <Link to={paths.newToken} className="button button-primary">
            <PlusIcon size={18} />
            {tokenWords.create}
          </Link>
        )
      }
    >
      <Loaded query={query}>
        {(tokens) => {
          const own = tokens.filter(({ client }) => client === null);
          const apps = tokens.filter(({ client }) => client !== null);
          return (
            <>
              <Banners tokens={own} />
              <ConnectedApps apps={apps} actions={actions} />
              <section aria-labelledby={ownId} className="grid gap-4">
                <h2 id={ownId} className="text-lg font-semibold">
                  {tokenWords.byHand}
                </h2>
                {own.length > 0 ? (
                  <OwnTokens tokens={own} actions={actions} />
                ) : (
                  <Empty
                    title={tokenWords.none}
                    action={isFull ? undefined : <WayToFirst needsWorkspace={hasNoWorkspace} />}
                  >
                    {hasNoWorkspace ? tokenWords.noWorkspace : tokenWords.noneWhat}
                  </Empty>
                )}
              </section>
            </>
          );
        }}
      </Loaded>
      <PastTokens />
      {actions.dialog}
    </View>
  );
}

/** The next step if there is no token yet. */
function WayToFirst({ needsWorkspace }: { needsWorkspace: boolean }) {
  return needsWorkspace ? (
    <ConnectSource label={tokenWords.connect} isPrimary />
  ) : (
    <Link to={paths.newToken} className="button button-primary">
      {tokenWords.create}
    </Link>
  );
}

/** The tokens that were made by hand, to be filtered by their names. */
function OwnTokens({ tokens, actions }: { tokens: readonly ServiceToken[]; actions: TokenActions }) {
  const [filter, setFilter] = useState("");
  const found = tokens.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <>
      <input
        type="search"
        className="input max-w-xs"
        aria-label={tokenWords.filter}
        placeholder={tokenWords.filter}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      {found.length > 0 ? (
        <TokenTable caption={tokenWords.list} tokens={found} actions={actions} />
      ) : (
        <p className="text-quiet">{tokenWords.noMatch}</p>
      )}
    </>
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
