import type { Client } from "@clew/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApi } from "../../api/app-context.ts";
import { paths } from "../../paths.ts";
import { Loaded } from "../../ui/states.tsx";
import { Panel } from "./page-panel.tsx";
import { mapWords } from "./words.ts";

/** The shortest path between two pages. */
export const pathQuery = (api: Client, from: string | undefined, to: string | undefined) =>
  queryOptions({
    queryKey: ["map path", from, to],
    queryFn: async ({ signal }) => {
      const found = await api.findPaths({ from: from ?? "", to: to ?? "" }, { signal });
      return found.paths[0]?.nodes ?? [];
    },
    enabled: from !== undefined && to !== undefined,
  });

/** The path that is drawn on the map, page by page. */
export function PathPanel({ from, to, onClose }: { from: string; to: string; onClose: () => void }) {
  const query = useQuery(pathQuery(useApi(), from, to));
  return (
    <Panel title={mapWords.pathTitle} onClose={onClose}>
      <Loaded query={query} loading={<span className="skeleton h-24" />}>
        {(nodes) =>
          nodes.length === 0 ? (
            <p className="text-sm text-quiet">{mapWords.noPath}</p>
          ) : (
            <>
              <p className="text-sm text-quiet">{mapWords.steps(nodes.length - 1)}</p>
              <ol className="map-thread">
                {nodes.map(({ id, title }) => (
                  <li key={id}>
                    <Link className="link" to={paths.page} params={{ pageId: id }}>
                      <bdi>{title || mapWords.untitled}</bdi>
                    </Link>
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </Loaded>
      <div>
        <Link className="button button-small" to={paths.path} search={{ from, to }}>
          {mapWords.pathInWords}
        </Link>
      </div>
    </Panel>
  );
}
