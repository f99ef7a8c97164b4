import { type AppRequest, type Client, ResponseError } from "@clew/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { explain } from "../../api/explain.ts";
import { paths } from "../../paths.ts";
import { signInUrlFor } from "../../session/urls.ts";
import { focusTitle } from "../../ui/focus.ts";
import { Empty, Loaded } from "../../ui/states.tsx";
import { View } from "../../ui/view.tsx";
import { connectWords } from "../../words.ts";
import { destinationOf } from "./consent.ts";
import { ConsentForm } from "./consent-form.tsx";
import { ProgramCard } from "./program-card.tsx";

const route = getRouteApi(paths.connect);

/** Milliseconds between reads of the request: it may be answered in another tab, or end. */
const pollMs = 10_000;

const appRequestQuery = (api: Client, id: string) =>
  queryOptions({
    queryKey: ["app-request", id],
    queryFn: ({ signal }) => api.getAppRequest({ id }, { signal }),
    refetchInterval: pollMs,
  });

/** The end of a request: what was decided, and the address at which the program waits for it. */
interface Sent {
  readonly outcome: keyof typeof connectWords.sent;
  readonly address: string;
}

/** A program's request to be connected, about which the person decides (APP-4). */
export function ConnectView() {
  const { request: id = "" } = route.useSearch();
  const api = useApi();
  const [sent, setSent] = useState<Sent | null>(null);
  const query = useQuery({ ...appRequestQuery(api, id), enabled: id !== "" && sent === null });
  const send = (outcome: Sent["outcome"], address: string) => {
    setSent({ outcome, address });
    // A form would be stopped by the policy at the first redirect. The request is over: the way back must not lead here.
    location.replace(address);
  };

  if (sent !== null) return <Leaving sent={sent} request={query.data} />;
  if (id === "") return <Over title={connectWords.over} />;
  // It is refused when it is read again, also if it could be read before.
  if (query.error instanceof ResponseError && query.error.status === 404)
    return <Over title={connectWords.over} reason={explain(query.error)} />;
  if (query.error instanceof ResponseError && query.error.status === 409)
    return <Over title={connectWords.refused} reason={explain(query.error)} />;
  return (
    <Loaded query={query}>
      {(request) =>
        request.redirect_to !== null ? (
          <Refused host={request.redirect.host} address={request.redirect_to} />
        ) : (
          <View title={connectWords.title} width="text">
            <ProgramCard request={request} />
            {request.workspaces.length === 0 ? (
              <Empty
                title={connectWords.noWorkspace}
                action={
                  <a className="button button-primary" href={signInUrlFor("provider", id)}>
                    {connectWords.connectWorkspace}
                  </a>
                }
              >
                {connectWords.noWorkspaceWhat}
              </Empty>
            ) : (
              <ConsentForm id={id} request={request} onSent={send} onRefused={() => void query.refetch()} />
            )}
          </View>
        )
      }
    </Loaded>
  );
}

/** The moment between the decision and the program's page. An app that has no page leaves the person here. */
function Leaving({ sent, request }: { sent: Sent; request: AppRequest | undefined }) {
  useEffect(focusTitle, []);
  const isApp = request !== undefined && destinationOf(request.redirect) === "device";
  return (
    <View title={connectWords.sent[sent.outcome]} width="text">
      {isApp ? (
        <>
          <p>{connectWords.openAppWhat}</p>
          <p>
            <a className="button button-primary" href={sent.address}>
              {connectWords.openApp}
            </a>
          </p>
        </>
      ) : (
        <p>{connectWords.goingTo(new URL(sent.address).host)}</p>
      )}
    </View>
  );
}

/** A request that Clew refuses. Anyone may have made it, so the browser goes to the program's address only if the person says so. */
function Refused({ host, address }: { host: string; address: string }) {
  return (
    <Ended title={connectWords.refusal} reason={connectWords.refusalWhat(host)}>
      <a className="button" href={address}>
        {connectWords.openApp}
      </a>
    </Ended>
  );
}

/** A request about which nothing can be decided. */
function Over({ title, reason = connectWords.overWhat }: { title: string; reason?: string }) {
  return (
    <Ended title={title} reason={reason}>
      <Link className="button" to={paths.tokens}>
        {connectWords.seeTokens}
      </Link>
    </Ended>
  );
}

/** The end of a request, with the way on. */
function Ended({ title, reason, children }: { title: string; reason: string; children: ReactNode }) {
  useEffect(focusTitle, []);
  return (
    <View title={title} width="text">
      <p className="text-lg">{reason}</p>
      <p>{children}</p>
    </View>
  );
}
