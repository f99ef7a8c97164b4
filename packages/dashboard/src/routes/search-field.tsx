import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef } from "react";
import { SearchIcon } from "../ui/icons.tsx";
import { shellWords } from "../words.ts";
import { paths } from "./paths.ts";

/** The id of the field, which the shortcut `/` focuses. */
export const searchFieldId = "search";

/** Searches from everywhere. The view of the graph shows what is found, and has the words in its URL. */
export function SearchField() {
  const { q } = useSearch({ strict: false });
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null) field.current.value = q ?? "";
  }, [q]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const words = field.current?.value.trim() ?? "";
    void navigate({ to: paths.graph, search: words === "" ? {} : { q: words } });
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
          autoComplete="off"
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
