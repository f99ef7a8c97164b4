import type { Client } from "@clew/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { useApi } from "../../api/app-context.ts";
import { paths } from "../../paths.ts";
import { CrossIcon } from "../../ui/icons.tsx";
import { Loaded } from "../../ui/states.tsx";
import { at, type MapFile } from "./map-file.ts";
import { type MapNames, type MapPage, mostLinks } from "./map-names.ts";
import type { Palette } from "./palette.ts";
import { mapWords } from "./words.ts";

/** Characters of a page's text that the panel reads, and those that it shows. */
const readChars = 700;
const shownChars = 220;
/** Linked pages of a region that are listed at once. */
const firstLinked = 4;

const openedQuery = (api: Client, id: string) =>
  queryOptions({
    queryKey: ["map page", id],
    queryFn: async ({ signal }) => {
      const [page, text] = await Promise.all([
        api.getPage({ id }, { signal }),
        // Databases and pages that are not read yet have no text.
        api.getPageContent({ id, max_chars: readChars }, { signal }).catch(() => null),
      ]);
      return { page, start: text === null ? "" : await startOf(text.markdown) };
    },
  });

/** The first lines of a text, in words alone. */
async function startOf(markdown: string): Promise<string> {
  const { plainText } = await import("@clew/text");
  const words = plainText(markdown).text.replaceAll(/\s+/g, " ").trim();
  return words.length <= shownChars
    ? words
    : `${words.slice(0, shownChars).replace(/(?<![\s.…])[\s.…]+$/, "")}…`;
}

/** The frame of a panel beside the map; in a narrow window a sheet at its foot. */
export function Panel({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} data-covers className="map-card map-panel">
      <header className="flex items-start justify-between gap-2">
        <h2 id={id} className="min-w-0 pt-0.5 font-serif text-lg leading-snug font-semibold">
          <bdi>{title}</bdi>
        </h2>
        <button
          type="button"
          className="-mt-1 -mr-2 grid size-8 shrink-0 place-content-center rounded-lg text-quiet hover:bg-sunken hover:text-ink"
          aria-label={mapWords.close}
          onClick={onClose}
        >
          <CrossIcon size={16} />
        </button>
      </header>
      {children}
    </section>
  );
}

/** The page that is selected: where it is, how it begins, and what it is linked with, by region. */
export function PagePanel({
  page: { id, position, title },
  map,
  tops,
  palette,
  names,
  onSelect,
  onPath,
  onClose,
}: {
  page: MapPage;
  map: MapFile;
  tops: Uint8Array;
  palette: Palette;
  names: MapNames;
  onSelect: (page: MapPage) => void;
  /** Called when the person wants to choose the other end of a path. */
  onPath: () => void;
  onClose: () => void;
}) {
  const query = useQuery(openedQuery(useApi(), id));
  return (
    <Panel title={title || mapWords.untitled} onClose={onClose}>
      <Loaded query={query} loading={<span className="skeleton h-16" />}>
        {({ page, start }) => (
          <>
            <p className="text-sm text-quiet">
              {page.breadcrumb.length === 0
                ? mapWords.topLevel
                : page.breadcrumb.map((above, index) => (
                    <span key={above.id}>
                      {index === 0 ? null : " / "}
                      <bdi>{above.title || mapWords.untitled}</bdi>
                    </span>
                  ))}
            </p>
            {start === "" ? null : <p className="text-sm leading-relaxed">{start}</p>}
          </>
        )}
      </Loaded>
      <div className="flex flex-wrap gap-2">
        <Link className="button button-primary button-small" to={paths.page} params={{ pageId: id }}>
          {mapWords.openPage}
        </Link>
        <Link
          className="button button-small"
          to={paths.page}
          params={{ pageId: id }}
          search={{ view: "graph" }}
        >
          {mapWords.localGraph}
        </Link>
        <button type="button" className="button button-small" onClick={onPath}>
          {mapWords.findPath}
        </button>
      </div>
      <LinksByRegion
        position={position}
        map={map}
        tops={tops}
        palette={palette}
        names={names}
        onSelect={onSelect}
      />
    </Panel>
  );
}

function LinksByRegion({
  position,
  map,
  tops,
  palette,
  names,
  onSelect,
}: {
  position: number;
  map: MapFile;
  tops: Uint8Array;
  palette: Palette;
  names: MapNames;
  onSelect: (page: MapPage) => void;
}) {
  const query = useQuery({
    queryKey: ["map links", map.graphVersion, map.isByLinks, position],
    queryFn: () => names.linkedWith(position),
  });
  return (
    <Loaded query={query} loading={<span className="skeleton h-24" />}>
      {(linked) => {
        if (linked.length === 0) return <p className="text-sm text-quiet">{mapWords.noLinks}</p>;
        const regions = [...Map.groupBy(linked, (page) => at(tops, page.position))].sort(
          ([, a], [, b]) => b.length - a.length,
        );
        return (
          <div className="grid gap-3 border-t border-line pt-3">
            <h3 className="text-sm font-medium text-quiet">
              {mapWords.links(linked.length, linked.length === mostLinks)}
            </h3>
            {regions.map(([region, pages]) => (
              <section key={region} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5">
                <h4 className="flex items-center gap-2 text-sm font-medium">
                  <span
                    aria-hidden="true"
                    className="size-2.5 shrink-0 rounded-full"
                    style={{ background: palette.css(region) }}
                  />
                  <bdi className="truncate">{map.regions[region]?.name}</bdi>
                  <span className="ml-auto text-xs text-quiet tabular-nums">{pages.length}</span>
                </h4>
                <LinkedPages pages={pages} onSelect={onSelect} />
              </section>
            ))}
          </div>
        );
      }}
    </Loaded>
  );
}

/** The first ones, and the others when they are asked for. */
function LinkedPages({ pages, onSelect }: { pages: readonly MapPage[]; onSelect: (page: MapPage) => void }) {
  const item = (page: MapPage) => (
    <li key={page.id}>
      <button
        type="button"
        className="link min-h-6 max-w-full truncate text-left text-sm"
        onClick={() => onSelect(page)}
      >
        <bdi>{page.title || mapWords.untitled}</bdi>
      </button>
    </li>
  );
  const rest = pages.slice(firstLinked);
  return (
    <>
      <ul className="pl-4.5">{pages.slice(0, firstLinked).map(item)}</ul>
      {rest.length === 0 ? null : (
        <details className="pl-4.5">
          <summary className="min-h-6 text-sm text-quiet">{mapWords.moreEntries(rest.length)}</summary>
          <ul>{rest.map(item)}</ul>
        </details>
      )}
    </>
  );
}
