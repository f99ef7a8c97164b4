import type { Client } from "@clew/client";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { searchFieldId } from "../../paths.ts";
import { announce } from "../../ui/announce.ts";
import { SearchIcon } from "../../ui/icons.tsx";
import { mapWords } from "../../words.ts";

/** Milliseconds without a key after which what was typed is searched. */
const pauseMs = 150;
/** The pages that stay coloured on the map, and those that are listed below the field. */
const mostMatches = 100;
const mostListed = 8;

/** The pages of a workspace whose titles match. */
export const matchesQuery = (api: Client, workspace: string, q: string | undefined) =>
  queryOptions({
    queryKey: ["map matches", workspace, q],
    queryFn: ({ signal }) =>
      api.searchPages(
        { q: q ?? "", workspace_id: workspace, limit: mostMatches, breadcrumb: true },
        { signal },
      ),
    enabled: q !== undefined,
  });

/**
 * The search in the map: lists matches while the person types, and the map dims all other pages. Enter chooses one.
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function MapSearchField({
  workspace,
  q,
  onType,
  onChoose,
}: {
  workspace: string;
  q: string | undefined;
  onType: (q: string | undefined) => void;
  onChoose: (pageId: string) => void;
}) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const timer = useRef<number>(undefined);
  const sent = useRef(q);
  const { data } = useQuery({ ...matchesQuery(useApi(), workspace, q), placeholderData: keepPreviousData });
  const found = q === undefined ? undefined : data;
  const listed = found?.items.slice(0, mostListed) ?? [];
  const isListed = isOpen && found !== undefined;
  useEffect(() => {
    if (field.current === null || sent.current === q) return;
    field.current.value = q ?? "";
    sent.current = q;
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (isListed) announce(mapWords.matches(found.items.length, found.total));
  }, [isListed, found]);

  const send = () => {
    clearTimeout(timer.current);
    const words = field.current?.value.trim();
    const next = words === "" ? undefined : words;
    if (next === sent.current) return;
    sent.current = next;
    onType(next);
  };
  const type = () => {
    setOpen(true);
    setActive(0);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(send, pauseMs);
  };
  const choose = (pageId: string) => {
    setOpen(false);
    onChoose(pageId);
  };
  const press = (event: KeyboardEvent) => {
    const count = listed.length;
    if (event.key === "Escape") {
      if (field.current !== null) field.current.value = "";
      send();
      setOpen(false);
    } else if (!isListed || count === 0) return;
    else if (event.key === "ArrowDown") setActive((active + 1) % count);
    else if (event.key === "ArrowUp") setActive((active + count - 1) % count);
    else if (event.key === "Enter") {
      const match = listed[active];
      if (match !== undefined) choose(match.node.id);
    } else return;
    event.preventDefault();
  };

  return (
    <search className="relative min-w-0 flex-1 md:max-w-80">
      <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-quiet">
        <SearchIcon size={16} />
      </span>
      <input
        ref={field}
        id={searchFieldId}
        type="search"
        className="input min-h-8 bg-paper py-0.5 pr-2 pl-8 text-sm"
        role="combobox"
        aria-label={mapWords.search}
        aria-keyshortcuts="/"
        aria-expanded={isListed && listed.length > 0}
        aria-controls={`${id}-matches`}
        aria-autocomplete="list"
        aria-activedescendant={isListed && listed.length > 0 ? `${id}-${active}` : undefined}
        placeholder={mapWords.search}
        defaultValue={q ?? ""}
        maxLength={200}
        autoComplete="off"
        onInput={type}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
      />
      <div
        id={`${id}-matches`}
        role="listbox"
        aria-label={mapWords.matchesLabel}
        hidden={!isListed || listed.length === 0}
        className="card absolute top-full right-0 left-0 z-20 mt-1.5 max-h-80 min-w-64 overflow-y-auto p-1 shadow-xl"
      >
        {listed.map(({ node, breadcrumb = [] }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
          <div
            key={node.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={`grid cursor-pointer rounded-lg px-3 py-1.5 ${index === active ? "bg-thread-soft" : ""}`}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setActive(index)}
            onClick={() => choose(node.id)}
          >
            <bdi className="truncate">{node.title || mapWords.untitled}</bdi>
            <bdi className="truncate text-sm text-quiet">
              {breadcrumb.map(({ title }) => title || mapWords.untitled).join(" / ")}
            </bdi>
          </div>
        ))}
      </div>
      {isListed && listed.length === 0 ? (
        <p className="card absolute top-full right-0 left-0 z-20 mt-1.5 px-3 py-2 text-sm text-quiet shadow-xl">
          {mapWords.noMatches}
        </p>
      ) : null}
    </search>
  );
}
