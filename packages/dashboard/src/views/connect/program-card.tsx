import type { AppRequest } from "@clew/client";
import type { ReactNode } from "react";
import { Notice } from "../../ui/notice.tsx";
import { connectWords } from "../../words.ts";
import { destinationOf } from "./consent.ts";

/**
 * The program that asks. Only the place to which it has the person sent back is a fact, so that is in large type; its name is
 * its own claim, and stands apart from Clew's words.
 */
export function ProgramCard({ request: { client, redirect, resource } }: { request: AppRequest }) {
  const destination = destinationOf(redirect);
  return (
    <div className="grid gap-4">
      <div className="card grid gap-5 p-5 sm:p-6">
        <dl className="grid gap-1">
          <dt className="text-quiet">{connectWords.sendsTo}</dt>
          <dd className="font-serif text-3xl leading-tight font-semibold sm:text-4xl">
            <bdi>{redirect.host}</bdi>
          </dd>
          <dd className="text-quiet">{connectWords.kinds[destination]}</dd>
        </dl>
        <dl className="grid gap-x-6 gap-y-4 border-t border-line pt-4 sm:grid-cols-2">
          <Fact term={connectWords.callsItself} hint={connectWords.claim}>
            <bdi className="font-medium">{client.name}</bdi>
          </Fact>
          {client.host === null ? null : (
            <Fact term={connectWords.describedAt}>
              <bdi>{client.host}</bdi>
            </Fact>
          )}
          <Fact term={connectWords.opens}>
            <code className="font-mono text-sm break-all">{resource}</code>
          </Fact>
          <Fact term={connectWords.address}>
            <code className="font-mono text-sm break-all">{redirect.uri}</code>
          </Fact>
        </dl>
      </div>
      {destination === "website" ? null : <Notice kind="warn">{connectWords.warnings[destination]}</Notice>}
    </div>
  );
}

function Fact({ term, hint, children }: { term: string; hint?: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-sm text-quiet">{term}</dt>
      <dd>{children}</dd>
      {hint === undefined ? null : <dd className="text-sm text-quiet">{hint}</dd>}
    </div>
  );
}
