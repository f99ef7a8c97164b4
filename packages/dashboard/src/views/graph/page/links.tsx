import type { Neighbors, NodeDetail } from "@clew/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "../../../api/app-context.ts";
import { type LinkKind, linkKinds, referenceTypes } from "../../../api/link-kinds.ts";
import { MoreButton } from "../../../ui/more-button.tsx";
import { graphWords } from "../../../words.ts";
import { MarkedText } from "../marked-text.tsx";
import { PageLink } from "../page-name.tsx";
import { Pending } from "../pending.tsx";
import { Section } from "../section.tsx";
import { groupBySentence, type LinkGroup } from "./link-sentences.ts";
import { excerptsQuery } from "./links-query.ts";
import { pageWords } from "./words.ts";

type Neighbour = Neighbors["items"][number];

/** The pages that link here, with the sentences in which they do. */
export function Backlinks({ page }: { page: NodeDetail }) {
  return (
    <LinkList
      page={page}
      title={pageWords.backlinks}
      direction="in"
      kinds={referenceTypes}
      none={pageWords.noBacklinks}
    />
  );
}

/** The pages that this one links to, and what it contains. */
export function Links({ page }: { page: NodeDetail }) {
  const { child } = page.edges_by_type;
  return (
    <>
      <LinkList
        page={page}
        title={pageWords.links}
        direction="out"
        kinds={referenceTypes}
        none={pageWords.noLinks}
      />
      {child.out === 0 || page.type === "database" ? null : (
        <LinkList page={page} title={pageWords.subpages} direction="out" kinds="child" none="" />
      )}
    </>
  );
}

function LinkList({
  page,
  title,
  direction,
  kinds,
  none,
}: {
  page: NodeDetail;
  title: string;
  direction: "in" | "out";
  kinds: string;
  none: string;
}) {
  const api = useApi();
  const query = useInfiniteQuery(excerptsQuery(api, { id: page.id, direction, kinds }));
  const items = query.data?.pages.flatMap((part) => part.items) ?? [];
  const groups = groupByKind(items);
  return (
    <Section title={title}>
      {query.data === undefined ? <Pending query={query} /> : null}
      {query.data !== undefined && items.length === 0 ? <p className="text-quiet">{none}</p> : null}
      {groups.map(({ kind, neighbours }) => (
        <div key={kind} className="grid gap-2">
          {kinds === "child" ? null : (
            <h3 className="text-sm font-medium text-quiet">{graphWords.kindsOfMany[kind]}</h3>
          )}
          <ul className="card divide-y divide-line">
            {groupBySentence(neighbours, kind).map((group) => (
              <li key={group.nodes[0]?.id} className="grid gap-1 px-4 py-2.5">
                <span className="flex flex-wrap gap-x-4">
                  {group.nodes.map((node) => (
                    <PageLink key={node.id} node={node} />
                  ))}
                </span>
                <Sentences group={group} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      <MoreButton query={query} />
    </Section>
  );
}

/** The sentences with the links, each marked; of a relation without one, its name. */
function Sentences({ group: { sentences, relations } }: { group: LinkGroup }) {
  return (
    <>
      {sentences.map(({ offset, text, marks }) => (
        <p key={offset} className="max-w-prose text-[0.9375rem] text-quiet">
          <MarkedText text={text} marks={marks} />
        </p>
      ))}
      {relations.map(({ from, to, name, count }) => (
        <p key={`${from} ${to} ${name}`} className="text-sm text-quiet">
          <bdi>{name}</bdi> {pageWords.times(count)}
        </p>
      ))}
    </>
  );
}

/** Neighbours under each kind of link that they have. */
function groupByKind(items: readonly Neighbour[]): { kind: LinkKind; neighbours: Neighbour[] }[] {
  return linkKinds
    .map((kind) => ({
      kind,
      neighbours: items.filter(({ edges }) => edges.some(({ type }) => type === kind)),
    }))
    .filter(({ neighbours }) => neighbours.length > 0);
}

/** Links that lead nowhere, by the text that they have in the page. */
export function Unresolved({ page: { unresolved } }: { page: NodeDetail }) {
  if (unresolved.length === 0) return null;
  return (
    <Section title={pageWords.unresolved}>
      <p className="text-quiet">{pageWords.unresolvedWhat}</p>
      <ul className="card divide-y divide-line">
        {unresolved.slice(0, mostUnresolved).map(({ type, target_id: id, name, count }) => (
          <li key={`${type}-${id}-${name}`} className="flex flex-wrap justify-between gap-x-4 px-4 py-2.5">
            <bdi>{name ?? pageWords.nameless}</bdi>
            <span className="text-sm text-quiet">
              {graphWords.kinds[type]} {pageWords.times(count)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A longer list is hard to read; the API has all of it. */
const mostUnresolved = 50;
