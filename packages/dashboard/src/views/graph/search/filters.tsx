import type { MarkTrait } from "@clew/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../../api/app-context.ts";
import { workspacesQuery } from "../../../api/queries.ts";
import { paths } from "../../../paths.ts";
import { Field, SelectField } from "../../../ui/field.tsx";
import { workspaceWords } from "../../../words.ts";
import { titleOf } from "../page-name.tsx";
import { PagePicker } from "../page-picker.tsx";
import { pageQuery } from "../queries.ts";
import { ReadyLists } from "./ready-lists.tsx";
import {
  type GraphSearch,
  isFiltered,
  maxPersonQuery,
  readGraphSearch,
  searchSorts,
  traitsOf,
  updatedFilters,
} from "./search-params.ts";
import { searchWords } from "./words.ts";

/** The filters and the order of the search. Each change is a new URL. */
export function Filters({ search, isSearch }: { search: GraphSearch; isSearch: boolean }) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(isFiltered(withoutLists(search)));
  const change = (changes: Readonly<Record<string, unknown>>) =>
    void navigate({
      to: paths.graph,
      search: readGraphSearch({ ...search, ...changes }),
      resetScroll: false,
    });
  return (
    <div className="grid gap-4">
      <ReadyLists search={search} isCompact={isSearch} onChange={change} />
      <details
        className="card px-4 py-2"
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="min-h-8 content-center font-medium">{searchWords.filters}</summary>
        <div className="grid gap-4 pt-2 pb-3 sm:grid-cols-2 lg:grid-cols-4">
          <WorkspaceField search={search} onChange={change} />
          <SelectField
            label={searchWords.type}
            value={search.type ?? ""}
            onChange={({ target }) => change({ type: target.value })}
          >
            <option value="">{searchWords.anyType}</option>
            <option value="page">{searchWords.pages}</option>
            <option value="database">{searchWords.databases}</option>
            <option value="tag">{searchWords.tags}</option>
          </SelectField>
          <SelectField
            label={searchWords.updated}
            value={search.updated ?? ""}
            onChange={({ target }) => change({ updated: target.value })}
          >
            {(["", ...updatedFilters] as const).map((choice) => (
              <option key={choice} value={choice}>
                {searchWords.updatedChoices[choice]}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={searchWords.sort}
            value={search.sort ?? (search.q === undefined ? "updated" : "relevance")}
            onChange={({ target }) => change({ sort: target.value })}
          >
            {searchSorts
              .filter((sort) => sort !== "relevance" || search.q !== undefined)
              .map((sort) => (
                <option key={sort} value={sort}>
                  {searchWords.sortChoices[sort]}
                </option>
              ))}
          </SelectField>
          <SelectField
            label={searchWords.mark}
            value={markOf(search) ?? ""}
            onChange={({ target }) => change({ is: withMark(search, target.value) })}
          >
            <option value="">{searchWords.anyMark}</option>
            {marks.map((mark) => (
              <option key={mark} value={mark}>
                {searchWords.marks[mark]}
              </option>
            ))}
          </SelectField>
          <PersonField key={search.by} by={search.by} onChange={change} />
          <UnderField under={search.under} onChange={change} />
        </div>
      </details>
    </div>
  );
}

/** Marks that the provider gives pages. The other traits are lists, with buttons of their own. */
const marks = ["verified", "expired", "archived"] as const satisfies readonly MarkTrait[];

const markOf = (search: GraphSearch) => marks.find((mark) => traitsOf(search).includes(mark));

/** The traits of a search with this mark in place of others; with none for an empty one. */
const withMark = (search: GraphSearch, mark: string): string =>
  [...traitsOf(search).filter((trait) => !marks.some((each) => each === trait)), mark].filter(Boolean).join();

/** The values of the fields below. */
const withoutLists = (search: GraphSearch): GraphSearch => {
  const { is: _is, ...fields } = search;
  const mark = markOf(search);
  return mark === undefined ? fields : { ...fields, is: mark };
};

type Change = (changes: Readonly<Record<string, unknown>>) => void;

/** With one workspace there is nothing to choose. */
function WorkspaceField({ search, onChange }: { search: GraphSearch; onChange: Change }) {
  const { data: workspaces = [] } = useQuery(workspacesQuery(useApi()));
  if (workspaces.length < 2 && search.workspace === undefined) return null;
  return (
    <SelectField
      label={searchWords.workspace}
      value={search.workspace ?? ""}
      onChange={({ target }) => onChange({ workspace: target.value })}
    >
      <option value="">{searchWords.allWorkspaces}</option>
      {workspaces.map(({ id, name }) => (
        <option key={id} value={id}>
          {name ?? workspaceWords.nameless}
        </option>
      ))}
    </SelectField>
  );
}

function UnderField({ under, onChange }: { under: string | undefined; onChange: Change }) {
  const { data } = useQuery({ ...pageQuery(useApi(), under ?? ""), enabled: under !== undefined });
  return (
    <PagePicker
      label={searchWords.under}
      hint={searchWords.underHint}
      chosen={under === undefined || data === undefined ? "" : titleOf(data)}
      onChoose={(node) => onChange({ under: node?.id })}
    />
  );
}

/** A name is looked for once it is written: with Enter, or when the person goes on. */
function PersonField({ by = "", onChange }: { by: string | undefined; onChange: Change }) {
  const [name, setName] = useState(by);
  const isChanged = name.trim() !== by;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) onChange({ by: name.trim() });
      }}
    >
      <Field
        label={searchWords.by}
        maxLength={maxPersonQuery}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
        onBlur={({ target }) => target.form?.requestSubmit()}
      />
    </form>
  );
}
