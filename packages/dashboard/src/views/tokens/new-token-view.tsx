import type { CreatedToken, Workspace } from "@clew/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { explain } from "../../api/explain.ts";
import { workspacesQuery } from "../../api/queries.ts";
import { paths } from "../../paths.ts";
import { ConnectSource } from "../../ui/connect-source.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { View } from "../../ui/view.tsx";
import { newTokenWords } from "../../words.ts";
import { type Draft, type DraftLink, draftOf, requestOf } from "./draft.ts";
import { DraftForm } from "./draft-form.tsx";
import { allTokens } from "./lists.ts";
import { Reveal } from "./reveal.tsx";
import { Review } from "./review.tsx";
import { revealWords, tokenWords } from "./words.ts";

const route = getRouteApi(paths.newToken);

/** Creates a token: what it may do, a last look, and the token itself. */
export function NewTokenView() {
  const query = useQuery(workspacesQuery(useApi()));
  const link = route.useSearch();
  return (
    <Loaded query={query}>
      {(workspaces) =>
        workspaces.length === 0 ? (
          <View title={newTokenWords.title}>
            <Empty
              title={tokenWords.noWorkspace}
              action={<ConnectSource label={tokenWords.connect} isPrimary />}
            />
          </View>
        ) : (
          <Wizard workspaces={workspaces} link={link} />
        )
      }
    </Loaded>
  );
}

function Wizard({ workspaces, link }: { workspaces: readonly Workspace[]; link: DraftLink }) {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>(() =>
    draftOf(
      link,
      workspaces.map(({ id }) => id),
      Date.now(),
    ),
  );
  const [isReviewed, setReviewed] = useState(false);
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const leave = useCallback(() => {
    setCreated(null);
    void navigate({ to: paths.tokens });
  }, [navigate]);

  // Not a mutation of the query library, which would keep the token.
  const create = async () => {
    setFault(null);
    try {
      setCreated(await api.createServiceToken(requestOf(draft, Date.now())));
    } catch (error) {
      setFault(explain(error));
    }
    // A refusal may mean that there are more tokens than the list shows.
    await client.invalidateQueries(allTokens);
  };

  if (created !== null)
    return <Reveal title={revealWords.title(created.name)} created={created} onDone={leave} />;
  return (
    <View title={newTokenWords.title} width="text">
      {isReviewed ? (
        <Review
          draft={draft}
          workspaces={workspaces}
          fault={fault}
          onBack={() => setReviewed(false)}
          onCreate={create}
        />
      ) : (
        <>
          {link.name === undefined && link.scopes === undefined && link.days === undefined ? null : (
            <Notice kind="warn">{newTokenWords.fromLink}</Notice>
          )}
          <DraftForm
            draft={draft}
            workspaces={workspaces}
            onChange={setDraft}
            onDone={() => setReviewed(true)}
          />
        </>
      )}
    </View>
  );
}
