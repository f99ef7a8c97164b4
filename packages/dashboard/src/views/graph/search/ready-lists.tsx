import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../api/app-context.ts";
import { workspacesQuery } from "../../../api/queries.ts";
import { CheckIcon } from "../../../ui/icons.tsx";
import { firstReadOf } from "./growing-graph.ts";
import { type GraphSearch, queryOf, readGraphSearch, traitsOf } from "./search-params.ts";
import { searchWords } from "./words.ts";

const readyLists = ["stale", "orphan", "unreferenced", "broken", "empty", "failed"] as const;
type ReadyList = (typeof readyLists)[number];

/** Lists of pages that may need care, each with its number of pages and what it means. They are filters of the search. */
export function ReadyLists({
  search,
  isCompact,
  onChange,
}: {
  search: GraphSearch;
  /** Whether only the lists that are chosen say what they mean, so that results begin higher. */
  isCompact: boolean;
  onChange: (changes: Readonly<Record<string, unknown>>) => void;
}) {
  const chosen = readyLists.filter((list) => isChosen(search, list));
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">{searchWords.lists}</legend>
      <div
        className={
          isCompact ? "flex flex-wrap gap-2" : "grid grid-cols-2 gap-2 sm:grid-cols-3 xl:grid-cols-6"
        }
      >
        {readyLists.map((list) => (
          <ListToggle key={list} list={list} search={search} isCompact={isCompact} onChange={onChange} />
        ))}
      </div>
      {isCompact && chosen.length > 0 ? (
        <p className="text-sm text-quiet">
          {chosen.map((list) => `${searchWords.traits[list]}: ${searchWords.traitHints[list]}.`).join(" ")}
        </p>
      ) : null}
    </fieldset>
  );
}

const isChosen = (search: GraphSearch, list: ReadyList): boolean =>
  list === "stale" ? search.updated === "stale" : traitsOf(search).includes(list);

/** The changes of a search that choose a list, or no longer do. */
function toggled(search: GraphSearch, list: ReadyList): Readonly<Record<string, unknown>> {
  const isOn = isChosen(search, list);
  if (list === "stale") return { updated: isOn ? undefined : "stale" };
  const traits = traitsOf(search);
  return { is: (isOn ? traits.filter((each) => each !== list) : [...traits, list]).join(",") };
}

function ListToggle({
  list,
  search,
  isCompact,
  onChange,
}: {
  list: ReadyList;
  search: GraphSearch;
  isCompact: boolean;
  onChange: (changes: Readonly<Record<string, unknown>>) => void;
}) {
  const isOn = isChosen(search, list);
  const count = useCount(list, search.workspace);
  const look = isCompact
    ? "rounded-full"
    : "grid content-start justify-start justify-items-start gap-0.5 px-3 py-2 text-left";
  return (
    <button
      type="button"
      className={`button button-small ${look} ${isOn ? "border-thread bg-thread-soft" : ""}`}
      aria-pressed={isOn}
      onClick={() => onChange(toggled(search, list))}
    >
      <span className="flex items-center gap-1.5 font-medium">
        {isOn ? <CheckIcon size={14} /> : null}
        {searchWords.traits[list]}
        <span className="font-normal text-quiet">{count}</span>
      </span>
      {isCompact ? null : (
        <span className="text-sm leading-snug font-normal whitespace-normal text-quiet">
          {searchWords.traitHints[list]}
        </span>
      )}
    </button>
  );
}

/**
 * The number of pages in a list, as people read it; empty until it is known. While a workspace is read for the first time,
 * links and texts are missing: nearly all of its pages would be orphaned, and none broken.
 */
function useCount(list: ReadyList, workspace: string | undefined): string {
  const api = useApi();
  const { data: workspaces } = useQuery(workspacesQuery(api));
  const isKnown = list === "stale" || (workspaces !== undefined && firstReadOf(workspaces).length === 0);
  const { data } = useQuery({
    enabled: isKnown,
    queryKey: ["list count", list, workspace],
    queryFn: async ({ signal }) => {
      const wanted = queryOf(readGraphSearch({ ...toggled({}, list), workspace }));
      return (await api.searchPages({ ...wanted, limit: 1 }, { signal })).total;
    },
  });
  return isKnown ? (data?.toLocaleString("en") ?? "") : "";
}
