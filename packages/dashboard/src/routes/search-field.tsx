import { useMatchRoute, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { paths, searchFieldId } from "../paths.ts";
import { SearchIcon } from "../ui/icons.tsx";
import { readGraphSearch } from "../views/graph/search/search-params.ts";
import { shellWords } from "../words.ts";

/** Milliseconds without a key after which what was typed is searched. */
const pauseMs = 200;

/**
 * Searches from everywhere. The view of the graph shows what is found, while the person types, and has the words in its
 * URL. From other views, Enter leads there.
 */
export function SearchField() {
  const { q } = useSearch({ strict: false });
  const navigate = useNavigate();
  const isAtGraph = useMatchRoute()({ to: paths.graph }) !== false;
  const field = useRef<HTMLInputElement>(null);
  /** The words that this field has put into the URL; others come from a link or the browser's buttons. */
  const sent = useRef(q);
  const timer = useRef<number>(undefined);
  useEffect(() => {
    if (field.current === null || sent.current === q) return;
    field.current.value = q ?? "";
    sent.current = q;
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const search = (replace: boolean) => {
    clearTimeout(timer.current);
    const words = field.current?.value.trim();
    const next = words === "" ? undefined : words;
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(false);
  };
  const type = () => {
    if (!isAtGraph) return;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(search, pauseMs, true);
  };
  const enterResults = (event: KeyboardEvent) => {
    const first = document.querySelector<HTMLElement>("[data-results] a");
    if (event.key !== "ArrowDown" || first === null) return;
    event.preventDefault();
    first.focus();
  };
  return (
    <search className="min-w-0 flex-1">
      <form onSubmit={submit} className="relative max-w-xl">
        <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-quiet">
          <SearchIcon size={18} />
        </span>
        <input
          ref={field}
          id={searchFieldId}
          type="search"
          name="q"
          className="input bg-surface pr-10 pl-10"
          aria-label={shellWords.search}
          aria-keyshortcuts="/"
          placeholder={shellWords.searchHint}
          defaultValue={q ?? ""}
          maxLength={500}
          autoComplete="off"
          onInput={type}
          onKeyDown={enterResults}
        />
        <span
          aria-hidden="true"
          className="key pointer-events-none absolute top-1/2 right-3 hidden -translate-y-1/2 md:block"
        >
          /
        </span>
      </form>
    </search>
  );
}
