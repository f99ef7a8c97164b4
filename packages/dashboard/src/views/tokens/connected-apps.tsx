import type { ServiceToken } from "@clew/client";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { paths } from "../../paths.ts";
import { announce } from "../../ui/announce.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { focusTitle } from "../../ui/focus.ts";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { describeAgent } from "../../ui/user-agent.ts";
import { newTokenWords } from "../../words.ts";
import { ConnectWithUrl, useCanConnect } from "./connect-with-url.tsx";
import { allTokens } from "./lists.ts";
import type { TokenActions } from "./token-actions.tsx";
import { Cell, StackedTable, TokenEnd, TokenUse, useWorkspaceNames } from "./token-table.tsx";
import { appWords, tokenWords } from "./words.ts";

const [, sinceHead, usedHead, endHead, actionsHead] = appWords.columns;

/** The programs that were connected with a URL, each of which has a token of its own, and how to connect another. */
export function ConnectedApps({ apps, actions }: { apps: readonly ServiceToken[]; actions: TokenActions }) {
  const headingId = useId();
  const [isAsking, setAsking] = useState(false);
  const canConnect = useCanConnect();
  if (apps.length === 0 && !canConnect) return null;
  return (
    <section aria-labelledby={headingId} className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={headingId} className="text-lg font-semibold">
          {appWords.title}
        </h2>
        {apps.length > 1 ? (
          <button type="button" className="button button-small" onClick={() => setAsking(true)}>
            {appWords.all}
          </button>
        ) : null}
      </div>
      {apps.length === 0 ? (
        <Empty title={appWords.none} action={<ConnectWithUrl />} />
      ) : (
        <>
          <StackedTable caption={appWords.title} heads={appWords.columns}>
            {apps.map((app) => (
              <AppRow key={app.id} app={app} actions={actions} />
            ))}
          </StackedTable>
          {canConnect ? <ConnectWithUrl /> : null}
        </>
      )}
      {isAsking ? <DisconnectAll apps={apps} onClose={() => setAsking(false)} /> : null}
    </section>
  );
}

function AppRow({ app, actions }: { app: ServiceToken; actions: TokenActions }) {
  const { id, name, client, created_at, created_by_browser } = app;
  const workspaces = useWorkspaceNames(app.workspace_ids);
  return (
    <tr>
      <th scope="row" className="w-full">
        <Link className="link" to={paths.token} params={{ tokenId: String(id) }}>
          <bdi>{name}</bdi>
        </Link>
        <span className="block text-sm font-normal text-quiet">
          <bdi>{client?.host}</bdi> · {tokenWords.reads(workspaces.join(", "))}
        </span>
      </th>
      <Cell head={sinceHead}>
        <Time value={created_at} />
        {created_by_browser === null ? null : (
          <span className="block text-sm text-quiet" title={created_by_browser}>
            {appWords.from(describeAgent(created_by_browser))}
          </span>
        )}
      </Cell>
      <Cell head={usedHead}>
        <TokenUse token={app} />
      </Cell>
      <Cell head={endHead}>
        <TokenEnd token={app} />
      </Cell>
      <Cell head={actionsHead} isMenu>
        {actions.menuFor(app)}
      </Cell>
    </tr>
  );
}

function DisconnectAll({ apps, onClose }: { apps: readonly ServiceToken[]; onClose: () => void }) {
  const api = useApi();
  const client = useQueryClient();
  const disconnect = async () => {
    try {
      for (const { id } of apps) await api.revokeServiceToken({ id });
    } finally {
      // Some may be gone if it failed in between.
      void client.invalidateQueries(allTokens);
    }
  };
  return (
    <Confirm
      title={appWords.allTitle}
      action={appWords.disconnectAction}
      onConfirm={disconnect}
      onDone={() => {
        announce(appWords.allDone);
        focusTitle();
      }}
      onClose={onClose}
    >
      <p>{appWords.allWhat(newTokenWords.and(apps.map(({ name }) => `“${name}”`)))}</p>
    </Confirm>
  );
}
