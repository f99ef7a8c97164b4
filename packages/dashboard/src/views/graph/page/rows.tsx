import type { NodeDetail, Rows as RowPage } from "@clew/client";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useApi } from "../../../api/app-context.ts";
import { paths } from "../../../paths.ts";
import { Field, SelectField } from "../../../ui/field.tsx";
import { CrossIcon } from "../../../ui/icons.tsx";
import { MoreButton } from "../../../ui/more-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { PageLink, titleOf } from "../page-name.tsx";
import { Pending } from "../pending.tsx";
import { Section } from "../section.tsx";
import { conditionOf, type Operator, operators, takesValue } from "./conditions.ts";
import { type PageSearch, readPageSearch } from "./page-params.ts";
import { PropertyValue } from "./properties.tsx";
import { rowsWords } from "./words.ts";

const route = getRouteApi(paths.page);

/** A database as a table, filtered and sorted by the server. The URL has the filters and the order. */
export function Rows({ database }: { database: NodeDetail }) {
  const api = useApi();
  const navigate = useNavigate();
  const search = route.useSearch();
  const { where = [], sort, order } = search;
  const wanted = { where, sort, order };
  const query = useInfiniteQuery({
    queryKey: ["rows", database.id, wanted],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.listRows({ id: database.id, ...wanted, cursor: cursor ?? undefined }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
  });
  const change = (changes: Partial<Record<keyof PageSearch, unknown>>) =>
    void navigate({
      to: paths.page,
      params: { pageId: database.id },
      search: readPageSearch({ ...search, ...changes }),
      resetScroll: false,
    });
  const [first] = query.data?.pages ?? [];
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Section
      title={rowsWords.title}
      note={first === undefined ? undefined : rowsWords.total(first.total, rows.length)}
    >
      <Conditions
        columns={first?.schema.map(({ name }) => name) ?? []}
        where={where}
        onChange={(next) => change({ where: next })}
      />
      {query.error === null && first !== undefined ? null : <Pending query={query} />}
      {rows.length > 0 && first !== undefined ? (
        <RowTable
          caption={rowsWords.caption(titleOf(database))}
          schema={first.schema}
          rows={rows}
          sort={sort}
          order={order}
          onSort={(column) => change(sortedBy(column, search))}
        />
      ) : null}
      {rows.length === 0 && first !== undefined ? (
        <p className="text-quiet">{where.length === 0 ? rowsWords.noRows : rowsWords.none}</p>
      ) : null}
      {first?.truncated ? <Notice kind="warn">{rowsWords.truncated}</Notice> : null}
      <MoreButton query={query} />
    </Section>
  );
}

/** Sorts by a column; reverses the order if the rows are sorted by it already. */
const sortedBy = (column: string, { sort, order }: PageSearch): PageSearch => ({
  sort: column,
  ...(sort === column && order !== "desc" ? { order: "desc" } : {}),
});

function RowTable({
  caption,
  schema,
  rows,
  sort,
  order,
  onSort,
}: {
  caption: string;
  schema: RowPage["schema"];
  rows: RowPage["items"];
  sort: string | undefined;
  order: "asc" | "desc" | undefined;
  onSort: (column: string) => void;
}) {
  const title = schema.find(({ type }) => type === "title")?.name ?? rowsWords.name;
  const others = schema.filter(({ type }) => type !== "title");
  return (
    <ScrollBox label={caption}>
      <table className="table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {[title, ...others.map(({ name }) => name)].map((name, index) => {
              const isSorted = sort === name || (index === 0 && sort === undefined);
              const direction = order === "desc" ? "descending" : "ascending";
              const arrow = order === "desc" ? "↓" : "↑";
              return (
                <th key={name} scope="col" aria-sort={isSorted ? direction : undefined}>
                  <button
                    type="button"
                    className="min-h-6 font-medium hover:text-ink"
                    title={rowsWords.sortBy(name)}
                    onClick={() => onSort(name)}
                  >
                    <bdi>{name}</bdi>
                    <span aria-hidden="true" className="inline-block w-4">
                      {isSorted ? arrow : ""}
                    </span>
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ node, properties }) => (
            <tr key={node.id}>
              <th scope="row" className="min-w-48">
                <PageLink node={node} />
              </th>
              {others.map(({ name }) => (
                <td key={name} className="min-w-32 max-w-72 [overflow-wrap:break-word]">
                  <PropertyValue value={properties[name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Conditions({
  columns,
  where,
  onChange,
}: {
  columns: readonly string[];
  where: readonly string[];
  onChange: (where: readonly string[]) => void;
}) {
  const [column, setColumn] = useState("");
  const [operator, setOperator] = useState<Operator>("=");
  const [value, setValue] = useState("");
  const chosen = column === "" ? (columns[0] ?? "") : column;
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (chosen === "") return;
    onChange([...where, conditionOf(chosen, operator, value)]);
    setValue("");
  };
  return (
    <div className="grid gap-3">
      <form
        className="grid grid-cols-2 items-end gap-3 *:min-w-0 sm:grid-cols-[1fr_1fr_1fr_auto]"
        onSubmit={add}
      >
        <SelectField
          label={rowsWords.column}
          value={chosen}
          onChange={({ target }) => setColumn(target.value)}
        >
          {columns.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <SelectField
          label={rowsWords.operator}
          value={operator}
          onChange={({ target }) => setOperator(operators.find((each) => each === target.value) ?? "=")}
        >
          {operators.map((each) => (
            <option key={each} value={each}>
              {rowsWords.operators[each]}
            </option>
          ))}
        </SelectField>
        <Field
          label={rowsWords.value}
          value={value}
          disabled={!takesValue(operator)}
          autoComplete="off"
          onChange={({ target }) => setValue(target.value)}
        />
        <button type="submit" className="button">
          {rowsWords.add}
        </button>
      </form>
      {where.length === 0 ? null : (
        <ul className="flex flex-wrap gap-2">
          {where.map((condition) => (
            <li key={condition}>
              <button
                type="button"
                className="button button-small rounded-full border-thread bg-thread-soft"
                aria-label={rowsWords.remove(condition)}
                onClick={() => onChange(where.filter((each) => each !== condition))}
              >
                <bdi>{condition}</bdi>
                <CrossIcon size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
