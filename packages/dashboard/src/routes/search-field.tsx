import { useMatchRoute, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useEffect, useState } from "react";
import { useRecentPages } from "../api/recent-choices.ts";
import { typingPauseMs, useTitleMatches } from "../api/title-matches.ts";
import { paths, searchFieldId } from "../paths.ts";
import { announce } from "../ui/announce.ts";
import { useChoiceList } from "../ui/choices-list.tsx";
import { SearchIcon } from "../ui/icons.tsx";
import { useUrlWords } from "../ui/url-words.ts";
import { PageChoice } from "../views/graph/page-choice.tsx";
import { readGraphSearch } from "../views/graph/search/search-params.ts";
import { shellWords, typingWords } from "../words.ts";

const mostChoices = 6;

/**
 * Searches from everywhere. The view of the graph itself shows what is found while the person types, and has the words in its URL.
 * In other views a list below the field shows the pages whose titles match, and Enter leads to all results. While the field is empty,
 * the list has the pages that were opened lately.
 */
export function SearchField() {
  const { q } = useSearch({ strict: false });
  const navigate = useNavigate();
  const isAtGraph = useMatchRoute()({ to: paths.graph }) !== false;
  /** The words in the field while its list is open; null while it is closed. */
  const [words, setWords] = useState<string | null>(null);
  const { field, sent, later, cancel } = useUrlWords(q);

  const search = (replace: boolean) => {
    cancel();
    const typed = field.current?.value.trim();
    const next = typed === "" ? undefined : typed;
    if (isAtGraph && next === sent.current) return;
    sent.current = next;
    void navigate({
      to: paths.graph,
      // The filters stay while the words change.
      search: ({ q: _q, ...before }) => ({
        ...(isAtGraph ? readGraphSearch(before) : {}),
        ...(next === undefined ? {} : { q: next }),
      }),
      replace,
    });
  };
  const open = (pageId: string) => {
    setWords(null);
    if (field.current !== null) field.current.value = "";
    void navigate({ to: paths.page, params: { pageId } });
  };
  const searchAll = () => {
    setWords(null);
    search(false);
  };
  const suggestions = useSuggestions({ words, isAtGraph, open, searchAll });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    searchAll();
  };
  const type = () => {
    setWords(field.current?.value ?? "");
    if (isAtGraph) later(() => search(true), typingPauseMs);
  };
  const show = () => setWords(field.current?.value ?? "");
  const clear = () => {
    if (field.current !== null) field.current.value = "";
    type();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape" && suggestions.isShown) setWords(null);
    else if (event.key === "Escape") clear();
    else if (!suggestions.press(event) && !enterResults(event)) return;
    event.preventDefault();
  };
  return (
    <search className="min-w-0 flex-1">
      <form onSubmit={submit} className="relative max-w-xl">
        <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-quiet">
          <SearchIcon size={18} />
        </span>
        <input
          ref={field}
          {...suggestions.field}
          id={searchFieldId}
          type="text"
          enterKeyHint="search"
          name="q"
          className="input bg-surface pr-10 pl-10"
          aria-label={shellWords.search}
          aria-keyshortcuts="/"
          placeholder={shellWords.searchHint}
          defaultValue={q ?? ""}
          maxLength={500}
          onInput={type}
          onFocus={show}
          onClick={show}
          onBlur={() => setWords(null)}
          onKeyDown={press}
        />
        <span
          aria-hidden="true"
          className="key pointer-events-none absolute top-1/2 right-3 hidden -translate-y-1/2 md:block"
        >
          /
        </span>
        {suggestions.list}
      </form>
    </search>
  );
}

/** The list below the field. */
function useSuggestions({
  words,
  isAtGraph,
  open,
  searchAll,
}: {
  words: string | null;
  isAtGraph: boolean;
  open: (pageId: string) => void;
  searchAll: () => void;
}) {
  const text = words?.trim() ?? "";
  const isEmpty = words !== null && text === "";
  const opened = useRecentPages({ most: mostChoices, isWanted: isEmpty });
  const { items = [], isCurrent } = useTitleMatches(isAtGraph ? null : words, mostChoices);
  useEffect(() => {
    if (isCurrent) announce(typingWords.found(items.length));
  }, [isCurrent, items.length]);
  const pageChoices = (isEmpty ? opened.map((node) => ({ node })) : items).map((item) => ({
    key: item.node.id,
    content: <PageChoice item={item} />,
    choose: () => open(item.node.id),
  }));
  const all = {
    key: "all",
    content: (
      <>
        <span className="self-center text-quiet">
          <SearchIcon size={16} />
        </span>
        <span className="min-w-0 flex-1">
          {isCurrent && items.length === 0 ? `${typingWords.noTitle} ` : ""}
          {typingWords.all(text)}
        </span>
        <kbd className="key max-md:hidden">Enter</kbd>
      </>
    ),
    choose: searchAll,
  };
  const groups = [
    ...(isEmpty ? [{ title: typingWords.recent, choices: pageChoices }] : []),
    ...(isEmpty || isAtGraph ? [] : [{ title: "", choices: [...pageChoices, all] }]),
  ];
  return useChoiceList({
    label: isEmpty ? typingWords.recent : typingWords.matches,
    // In a narrow window it is wider than the field. Without `top` it stays below it.
    className: "choices max-md:fixed max-md:inset-x-3 max-md:top-auto",
    groups,
    isOpen: words !== null,
    marksFirst: false,
    words: text,
  });
}

/** At the graph, the arrow down leads from the field into the results. */
function enterResults({ key }: KeyboardEvent): boolean {
  const first = document.querySelector<HTMLElement>("[data-results] a");
  if (key !== "ArrowDown" || first === null) return false;
  first.focus();
  return true;
}
