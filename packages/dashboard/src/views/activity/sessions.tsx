import type { Session } from "@clew/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { explain } from "../../api/explain.ts";
import { announce } from "../../ui/announce.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { focusTitle } from "../../ui/focus.ts";
import { Notice } from "../../ui/notice.tsx";
import { Pill } from "../../ui/pill.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { describeAgent } from "../../ui/user-agent.ts";
import { activityWords } from "../../words.ts";

const queryKey = ["sessions"];

/** The person's sessions, each of which can be ended. */
export function Sessions() {
  const api = useApi();
  const client = useQueryClient();
  const headingId = useId();
  const [isAsking, setAsking] = useState(false);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.listSessions({ limit: 100 }, { signal })).items,
  });
  const tellEnds = () => {
    announce(activityWords.othersEnded);
    focusTitle();
    void client.invalidateQueries();
  };
  return (
    <section aria-labelledby={headingId} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={headingId} className="text-lg font-semibold">
          {activityWords.sessions}
        </h2>
        {(query.data?.length ?? 0) > 1 ? (
          <button type="button" className="button button-small" onClick={() => setAsking(true)}>
            {activityWords.endOthers}
          </button>
        ) : null}
      </div>
      <Loaded query={query}>
        {(sessions) => (
          <ul className="card divide-y divide-line">
            {sessions.map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
      {isAsking ? (
        <Confirm
          title={activityWords.endOthersTitle}
          action={activityWords.endOthers}
          onConfirm={() => api.endOtherSessions()}
          onDone={tellEnds}
          onClose={() => setAsking(false)}
        >
          <p>{activityWords.endOthersWhat}</p>
        </Confirm>
      ) : null}
    </section>
  );
}

function SessionItem({ session }: { session: Session }) {
  const { id, user_agent, address, refreshed_from, created_at, last_refreshed_at, current } = session;
  const api = useApi();
  const client = useQueryClient();
  const agent = agentOf(user_agent);
  const end = useMutation({
    mutationFn: () => api.endSession({ id }),
    onSuccess: () => {
      announce(activityWords.ended);
      focusTitle();
      return client.invalidateQueries();
    },
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="grid min-w-40 flex-1">
        <span className="flex flex-wrap items-center gap-x-3 font-medium">
          <span title={user_agent ?? undefined}>{agent}</span>
          {current ? <Pill kind="good">{activityWords.thisBrowser}</Pill> : null}
        </span>
        <span className="text-quiet">
          {activityWords.signedIn} <Time value={created_at} />
          <From address={address} />
          {last_refreshed_at === null ? null : (
            <>
              , {activityWords.lastActive} <Time value={last_refreshed_at} />
            </>
          )}
        </span>
        {refreshed_from === null ? null : (
          <span className="text-quiet">
            {activityWords.alsoUsed} <Time value={refreshed_from.at} />
            <From address={refreshed_from.address} />
            {", "}
            <span title={refreshed_from.user_agent ?? undefined}>{agentOf(refreshed_from.user_agent)}</span>
          </span>
        )}
      </div>
      {current ? null : (
        <button
          type="button"
          className="button button-small"
          aria-label={activityWords.endThere(agent)}
          aria-disabled={end.isPending}
          onClick={() => end.isPending || end.mutate()}
        >
          {activityWords.end}
        </button>
      )}
      {end.error === null ? null : <Notice kind="danger">{explain(end.error)}</Notice>}
    </li>
  );
}

function From({ address }: { address: string | null }) {
  return address === null ? null : ` ${activityWords.fromAddress(address)}`;
}

function agentOf(userAgent: string | null): string {
  return userAgent === null ? activityWords.unknownAgent : describeAgent(userAgent);
}
