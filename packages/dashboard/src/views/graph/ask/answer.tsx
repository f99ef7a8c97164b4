import type { Context } from "@clew/client";
import { textOf } from "@clew/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import { useApi } from "../../../api/app-context.ts";
import { workspacesQuery } from "../../../api/queries.ts";
import { paths } from "../../../paths.ts";
import { announce } from "../../../ui/announce.ts";
import { CopyButton } from "../../../ui/copy.tsx";
import { Markdown, type TextFrame } from "../../../ui/markdown.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { graphWords } from "../../../words.ts";
import { PageIcon, titleOf } from "../page-name.tsx";
import { pagesOf, type ShownPage, type ShownSection } from "./context-pages.ts";
import { askWords } from "./words.ts";

/** The passages as a person reads them, how much room they take, and the same to copy. */
export function Answer({ found, budget }: { found: Context; budget: number }) {
  const raw = useRef<HTMLTextAreaElement>(null);
  const pages = useMemo(() => pagesOf(found), [found]);
  const passages = found.items.reduce((sum, item) => sum + item.passages.length, 0);
  const size = askWords.size(passages, found.items.length);
  const { tokens = 0, markdown } = found;
  useEffect(() => announce(size), [size]);
  return (
    <section
      aria-label={askWords.result}
      className="grid items-start gap-x-10 gap-y-5 xl:grid-cols-[minmax(0,56rem)_minmax(12rem,1fr)]"
    >
      <div className="grid min-w-0 gap-5">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <div className="grid min-w-56 gap-1.5">
            <p>
              <span className="font-medium">{size}</span>
              <span className="text-quiet">, {askWords.used(tokens, budget)}</span>
            </p>
            <progress className="progress" aria-label={askWords.usedLabel} max={budget} value={tokens} />
          </div>
          <CopyButton text={markdown} what={askWords.copied} label={askWords.copy} shown={raw} />
        </div>
        <Limits found={found} />
        <ol className="grid gap-4">
          {pages.map((page, index) => (
            <li key={page.item.node.id}>
              <Page page={page} number={index + 1} />
            </li>
          ))}
        </ol>
        <Omitted omitted={found.omitted} />
        <details className="card min-w-0 px-4 py-2">
          <summary className="min-h-8 content-center font-medium">{askWords.raw}</summary>
          <textarea
            ref={raw}
            readOnly
            aria-label={askWords.raw}
            className="input my-2 h-96 bg-sunken p-3 font-mono text-sm"
            value={markdown}
          />
        </details>
      </div>
      <Contents pages={pages} />
    </section>
  );
}

const headingOf = (pageId: string) => `answer-${pageId}`;

/** The pages of the answer in order, each of which leads to its passages below. A narrow window has no room for them. */
function Contents({ pages }: { pages: readonly ShownPage[] }) {
  const show = (pageId: string) => {
    const heading = document.getElementById(headingOf(pageId));
    heading?.scrollIntoView({ block: "start" });
    heading?.focus({ preventScroll: true });
  };
  return (
    <nav
      aria-label={askWords.contents}
      className="sticky top-6 hidden min-w-0 max-h-[calc(100dvh-3rem)] overflow-y-auto text-sm xl:block"
    >
      <h2 className="mb-2 text-quiet">{askWords.contents}</h2>
      <ol className="grid gap-0.5">
        {pages.map(({ item: { node } }, index) => (
          <li key={node.id} className="min-w-0">
            <button
              type="button"
              className="flex min-h-7 w-full min-w-0 items-baseline gap-2 text-left hover:text-thread"
              onClick={() => show(node.id)}
            >
              <span className="w-5 shrink-0 text-right text-quiet tabular-nums">{index + 1}</span>
              <bdi className="min-w-0 truncate">{titleOf(node)}</bdi>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The limits of the answer, and their reasons. */
function Limits({ found: { unanswered, indexed, truncated } }: { found: Context }) {
  const { data: workspaces } = useQuery(workspacesQuery(useApi()));
  const isPartlyRead = workspaces?.some(({ complete_as_of }) => complete_as_of === null) ?? false;
  const notes = [
    ...(unanswered.length > 0 ? [askWords.unanswered(unanswered)] : []),
    ...(isPartlyRead ? [askWords.reading] : []),
    ...(!isPartlyRead && indexed < 1 ? [askWords.partly(indexed)] : []),
    ...(truncated ? [askWords.truncated] : []),
  ];
  return notes.length === 0 ? null : <Notice kind="warn">{notes.join(" ")}</Notice>;
}

function Page({ page: { item, place, sections, notes }, number }: { page: ShownPage; number: number }) {
  const { node } = item;
  return (
    <article className="card grid min-w-0 gap-4 p-4 sm:p-5">
      <header className="grid gap-0.5">
        <h2
          id={headingOf(node.id)}
          tabIndex={-1}
          className="flex min-w-0 scroll-mt-6 items-baseline gap-1.5 text-lg leading-snug"
        >
          <PageIcon node={node} />
          <Link
            className="font-medium text-thread underline-offset-4 hover:underline"
            to={paths.page}
            params={{ pageId: node.id }}
          >
            <bdi>{titleOf(node)}</bdi>
          </Link>
          <span aria-hidden="true" className="ml-auto text-sm text-quiet tabular-nums">
            {number}
          </span>
        </h2>
        <p className="text-sm text-quiet">
          <bdi>{place ?? graphWords.topLevel}</bdi>
          {" · "}
          <Why item={item} />
        </p>
      </header>
      {sections.map((section) => (
        <Section key={section.offset} section={section} pageId={node.id} />
      ))}
      {notes.map((note) => (
        <p key={note} className="text-sm text-quiet">
          {note}
        </p>
      ))}
    </article>
  );
}

function Why({ item: { why, via } }: { item: ShownPage["item"] }) {
  if (why !== "linked") return askWords.why[why];
  if (via === null) return askWords.linked;
  return (
    <>
      {askWords.linkedWith}{" "}
      <Link className="link" to={paths.page} params={{ pageId: via.id }}>
        <bdi>{titleOf(via)}</bdi>
      </Link>
    </>
  );
}

/** Passages below the headings that they stand under; the headings lead to the place in the page. */
function Section({
  section: { headings, offset, blocks },
  pageId,
}: {
  section: ShownSection;
  pageId: string;
}) {
  return (
    <div className="grid min-w-0 gap-1.5 border-l-2 border-line pl-3 sm:pl-4">
      <h3 className="text-sm font-medium">
        <Link
          className="link inline-block min-h-6"
          to={paths.page}
          params={{ pageId }}
          search={offset === 0 ? {} : { at: offset }}
        >
          <bdi>{headings.length === 0 ? askWords.opening : headings.join(" › ")}</bdi>
        </Link>
      </h3>
      <Markdown blocks={blocks} frame={frame} />
    </div>
  );
}

/** A context has no addresses of links: what had one is text. */
const frame: TextFrame = { idOf: () => undefined, Addressed: ({ piece }) => textOf([piece]) };

function Omitted({ omitted: { count, items } }: { omitted: Context["omitted"] }) {
  if (count === 0) return null;
  return (
    <p className="text-quiet">
      {askWords.omitted(count)}:{" "}
      {items.map((page, index) => (
        <span key={page.id}>
          {index === 0 ? "" : ", "}
          <Link className="link" to={paths.page} params={{ pageId: page.id }}>
            <bdi>{titleOf(page)}</bdi>
          </Link>
        </span>
      ))}
      {count > items.length ? ` ${askWords.omittedMore(count - items.length)}` : ""}.
    </p>
  );
}
