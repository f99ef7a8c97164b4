import type { Client } from "@clew/client";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useApi } from "../../api/app-context.ts";
import { typingPauseMs } from "../../api/title-matches.ts";
import { searchFieldId } from "../../paths.ts";
import { announce } from "../../ui/announce.ts";
import { useChoiceList } from "../../ui/choices-list.tsx";
import { SearchIcon } from "../../ui/icons.tsx";
import { useUrlWords } from "../../ui/url-words.ts";
import { mapWords } from "./words.ts";

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

/** The search in the map: lists matches while the person types, and the map dims all other pages. Enter chooses one. */
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
  const { field, sent, later, cancel } = useUrlWords(q);
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({ ...matchesQuery(useApi(), workspace, q), placeholderData: keepPreviousData });
  const found = q === undefined ? undefined : data;
  const isListed = isOpen && found !== undefined;
  useEffect(() => {
    if (isListed) announce(mapWords.matches(found.items.length, found.total));
  }, [isListed, found]);

  const send = () => {
    cancel();
    const words = field.current?.value.trim();
    const next = words === "" ? undefined : words;
    if (next === sent.current) return;
    sent.current = next;
    onType(next);
  };
  const type = () => {
    setOpen(true);
    later(send, typingPauseMs);
  };
  const matches = (found?.items ?? []).slice(0, mostListed).map(({ node, breadcrumb = [] }) => ({
    key: node.id,
    content: (
      <span className="grid min-w-0">
        <bdi className="truncate">{node.title || mapWords.untitled}</bdi>
        <bdi className="truncate text-sm text-quiet">
          {breadcrumb.map(({ title }) => title || mapWords.untitled).join(" / ")}
        </bdi>
      </span>
    ),
    choose: () => {
      setOpen(false);
      onChoose(node.id);
    },
  }));
  const choices = useChoiceList({
    label: mapWords.matchesLabel,
    className: "choices min-w-64",
    groups: [{ title: "", choices: matches }],
    isOpen: isListed,
    marksFirst: true,
    words: q ?? "",
  });
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      if (field.current !== null) field.current.value = "";
      send();
      setOpen(false);
    } else if (!choices.press(event)) return;
    event.preventDefault();
  };

  return (
    <search className="relative min-w-0 flex-1 md:max-w-80">
      <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-quiet">
        <SearchIcon size={16} />
      </span>
      <input
        ref={field}
        {...choices.field}
        id={searchFieldId}
        type="search"
        className="input min-h-8 bg-paper py-0.5 pr-2 pl-8 text-sm"
        aria-label={mapWords.search}
        aria-keyshortcuts="/"
        placeholder={mapWords.search}
        defaultValue={q ?? ""}
        maxLength={200}
        onInput={type}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
      />
      {choices.list}
      {isListed && matches.length === 0 ? (
        <p className="card absolute top-full right-0 left-0 z-20 mt-1.5 px-3 py-2 text-sm text-quiet shadow-xl">
          {mapWords.noMatches}
        </p>
      ) : null}
    </search>
  );
}
