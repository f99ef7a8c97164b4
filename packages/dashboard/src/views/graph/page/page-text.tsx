import type { Content, NodeDetail } from "@clew/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo } from "react";
import { useApi } from "../../../api/app-context.ts";
import { paths } from "../../../paths.ts";
import { MoreButton } from "../../../ui/more-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { graphWords } from "../../../words.ts";
import { anchorOf, isFromFolder, PageMarkdown } from "../markdown/page-markdown.tsx";
import { titleOf } from "../page-name.tsx";
import { Pending } from "../pending.tsx";
import { linksQuery } from "./links-query.ts";
import { pageWords } from "./words.ts";

const route = getRouteApi(paths.page);

/** Code points of a text that are read and shown at a time. */
const partChars = 20_000;

/** The text of a page, in parts, with its outline. `at` in the URL is where to begin reading. */
export function PageText({ page }: { page: NodeDetail }) {
  const { at = 0 } = route.useSearch();
  const { content_state: state } = page;
  // A text that could not be read may be there in part, or from an earlier time.
  if (state === "empty" || state === "pending") return <NoText state={state} />;
  const start = at < partChars ? 0 : at;
  return <Text key={start} page={page} start={start} at={at} />;
}

function NoText({ state }: { state: Exclude<NodeDetail["content_state"], "ready"> }) {
  if (state === "failed") return <Notice kind="warn">{pageWords.failed}</Notice>;
  return <p className="text-quiet">{state === "empty" ? pageWords.empty : pageWords.pending}</p>;
}

function Text({ page, start, at }: { page: NodeDetail; start: number; at: number }) {
  const api = useApi();
  const query = useInfiniteQuery({
    queryKey: ["text", page.id, page.updated_at, start],
    queryFn: ({ pageParam: offset, signal }) =>
      api.getPageContent({ id: page.id, offset, max_chars: partChars, include: "outline" }, { signal }),
    initialPageParam: start,
    getNextPageParam: ({ next_offset: next }) => next,
  });
  const markdown = useMemo(() => query.data?.pages.map((part) => part.markdown).join(""), [query.data]);
  const missing = useMemo(() => new Set(page.unresolved.map(({ target_id: id }) => id)), [page]);
  const isMissing = useCallback((id: string) => missing.has(id), [missing]);
  const { data: links } = useQuery(linksQuery(api, page.id));
  const titleOfId = useCallback(
    (id: string) => {
      const linked = links?.items.find(({ node }) => node.id === id);
      return linked === undefined ? undefined : titleOf(linked.node);
    },
    [links],
  );
  useScrollTo(at, markdown !== undefined);

  if (query.data === undefined || markdown === undefined) return <Pending query={query} />;
  const [first] = query.data.pages;
  const last = query.data.pages.at(-1);
  if (page.content_state === "failed" && first?.total_chars === 0) return <NoText state="failed" />;
  return (
    <div className="grid gap-6">
      {page.content_state === "failed" ? (
        <Notice kind="warn">{first?.truncated ? pageWords.truncated : pageWords.earlier}</Notice>
      ) : null}
      {start > 0 ? (
        <Link className="button button-small justify-self-start" to={paths.page} params={{ pageId: page.id }}>
          {pageWords.fromStart}
        </Link>
      ) : null}
      <Outline page={page} headings={first?.headings ?? []} />
      {/* Lines that the page counts as wide as they are must not widen the page. */}
      <article className="min-w-0 text-[1.0625rem]">
        <PageMarkdown
          markdown={markdown}
          offset={start}
          isFromFolder={isFromFolder(page)}
          isMissing={isMissing}
          titleOf={titleOfId}
        />
      </article>
      <MoreButton
        query={query}
        label={pageWords.moreText((last?.total_chars ?? 0) - (last?.next_offset ?? 0))}
      />
    </div>
  );
}

/** Longer outlines are closed at first, and in narrow windows all are. */
const openHeadings = 8;
const wide = "(min-width: 48rem)";
/** More headings make no outline that anyone reads. */
const mostHeadings = 200;

function Outline({ page, headings }: { page: NodeDetail; headings: NonNullable<Content["headings"]> }) {
  if (headings.length < 2) return null;
  return (
    <details
      className="no-print card px-4 py-2"
      open={headings.length <= openHeadings && matchMedia(wide).matches}
    >
      <summary className="min-h-6 content-center font-medium">{pageWords.outline}</summary>
      <ol className="grid gap-1 py-2">
        {headings.slice(0, mostHeadings).map(({ level, text, offset }) => (
          <li key={offset} style={{ paddingInlineStart: `${(Math.min(level, 4) - 1) * 1}rem` }}>
            <Link
              className="link inline-block min-h-6"
              to={paths.page}
              params={{ pageId: page.id }}
              search={{ at: offset }}
              resetScroll={false}
            >
              <bdi>{text || graphWords.untitled}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Brings the block at an offset into view, once it is there. */
function useScrollTo(at: number, isShown: boolean): void {
  useEffect(() => {
    if (at === 0 || !isShown) return;
    const blocks = [...document.querySelectorAll<HTMLElement>(`[id^="${anchorOf(0).slice(0, -1)}"]`)];
    const target = blocks.findLast(({ id }) => Number(id.slice(anchorOf(0).length - 1)) <= at);
    if (target === undefined) return;
    for (
      let around = target.closest("details");
      around !== null;
      around = around.parentElement?.closest("details") ?? null
    )
      around.open = true;
    target.scrollIntoView({ block: "start" });
    if (target.tabIndex >= -1 && /^H\d$/.test(target.tagName)) target.focus({ preventScroll: true });
  }, [at, isShown]);
}
