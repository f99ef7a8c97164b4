import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useApi } from "../../../api/app-context.ts";
import { recentChanges } from "../../../api/early-requests.ts";
import { useLiveWorkspaces } from "../../../api/live-workspaces.ts";
import { paths } from "../../../paths.ts";
import { CopyCall } from "../../../ui/copy-call.tsx";
import { View } from "../../../ui/view.tsx";
import { importantQuery } from "../queries.ts";
import { Filters } from "./filters.tsx";
import { Results } from "./results.tsx";
import { isFiltered, queryOf, toolArgsOf } from "./search-params.ts";
import { StartLead, StartLists, useFreshGraph } from "./start.tsx";
import { searchWords } from "./words.ts";

/** The start of the changes that are listed, and copied, before a search. */
const { since } = recentChanges;

/** The graph, search first: what was found, or where to begin. The words are in the field above every view. */
export function SearchView() {
  const search = useSearch({ from: paths.graph });
  const { data: important } = useQuery(importantQuery(useApi()));
  const hasPages = important !== undefined && important.length > 0;
  const workspaces = useLiveWorkspaces();
  useFreshGraph(workspaces.data);
  const isSearch = search.q !== undefined || search.sort !== undefined || isFiltered(search);
  return (
    <View
      title={search.q === undefined ? searchWords.title : searchWords.titleFor(search.q)}
      lead={isSearch ? undefined : searchWords.lead}
      actions={
        isSearch ? (
          <CopyCall
            path={search.q === undefined ? "search/" : "text/"}
            query={queryOf(search)}
            tool="search_pages"
            args={toolArgsOf(search)}
          />
        ) : (
          <>
            <Link className="button" to={paths.ask}>
              {searchWords.ask}
            </Link>
            <Link className="button" to={paths.map}>
              {searchWords.map}
            </Link>
            <CopyCall path="recent/" query={{ since }} tool="recent_changes" args={{ since }} />
          </>
        )
      }
    >
      {isSearch ? null : <StartLead workspaces={workspaces} />}
      {/* At one place, so that the start and the results share its state and its focus. */}
      {isSearch || hasPages ? <Filters search={search} isSearch={isSearch} /> : null}
      {isSearch ? <Results search={search} /> : <StartLists />}
    </View>
  );
}
