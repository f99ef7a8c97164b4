import { queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useApi } from "../../api/app-context.ts";
import { workspacesQuery } from "../../api/queries.ts";
import { paths } from "../../paths.ts";
import { CopyCall } from "../../ui/copy-call.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { View } from "../../ui/view.tsx";
import { mapWords, percentOf } from "../../words.ts";
import { MapCanvas } from "./map-canvas.tsx";
import { type MapFile, readMapFile } from "./map-file.ts";
import { createMapNames } from "./map-names.ts";

/** The map of one workspace, and the same as a table. */
export function MapView() {
  const api = useApi();
  const { workspace: wanted } = useSearch({ from: paths.map });
  const navigate = useNavigate();
  const workspaces = useQuery(workspacesQuery(api));
  const all = workspaces.data ?? [];
  const workspace = all.find(({ id }) => id === wanted) ?? all[0];
  return (
    <View
      title={mapWords.title}
      lead={
        workspace === undefined ? undefined : mapWords.lead(workspace.name ?? workspace.id, workspace.nodes)
      }
      width="full"
      actions={
        workspace === undefined ? undefined : (
          <>
            {all.length > 1 ? (
              <select
                aria-label={mapWords.workspace}
                className="input"
                value={workspace.id}
                onChange={({ target }) =>
                  void navigate({ to: paths.map, search: { workspace: target.value } })
                }
              >
                {all.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name ?? id}
                  </option>
                ))}
              </select>
            ) : null}
            <CopyCall
              path={`workspaces/${workspace.id}/map/`}
              tool="workspace_overview"
              args={{ workspace: workspace.id, depth: 2 }}
            />
          </>
        )
      }
    >
      <Loaded query={workspaces}>
        {() =>
          workspace === undefined || workspace.nodes === 0 ? (
            <Empty title={mapWords.nothing}>{mapWords.nothingWhat}</Empty>
          ) : (
            <Tabs
              key={workspace.id}
              label={mapWords.views}
              tabs={[
                { name: mapWords.picture, panel: <Picture workspace={workspace.id} /> },
                { name: mapWords.table, panel: <Regions workspace={workspace.id} /> },
              ]}
            />
          )
        }
      </Loaded>
    </View>
  );
}

function Picture({ workspace }: { workspace: string }) {
  const api = useApi();
  const query = useQuery(
    queryOptions({
      queryKey: ["map", workspace],
      queryFn: async ({ signal }) => readMapFile(await api.getMap({ id: workspace }, { signal })),
      structuralSharing: false,
    }),
  );
  return <Loaded query={query}>{(map) => <NamedMap map={map} workspace={workspace} />}</Loaded>;
}

function NamedMap({ map, workspace }: { map: MapFile; workspace: string }) {
  const api = useApi();
  const names = useMemo(
    () => createMapNames(api, { workspace, graphVersion: map.graphVersion, count: map.count }),
    [api, workspace, map],
  );
  return <MapCanvas key={map.graphVersion} map={map} names={names} />;
}

/** The pages that the largest discs stand for, in the order of the tree. */
function Regions({ workspace }: { workspace: string }) {
  const api = useApi();
  const query = useInfiniteQuery({
    queryKey: ["tree", workspace],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.listTree(
        { workspace_id: workspace, depth: 3, limit: 200, cursor: cursor ?? undefined },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <div className="grid gap-4">
          <Table caption={mapWords.caption} head={[mapWords.page, mapWords.below, mapWords.importance]}>
            {pages
              .flatMap(({ items }) => items)
              .map(({ node, depth, below }) => (
                <tr key={node.id}>
                  <th scope="row">
                    <span style={{ paddingInlineStart: `${(depth - 1) * 1.25}rem` }}>
                      <Link className="link" to={paths.page} params={{ pageId: node.id }}>
                        <bdi>{node.title || mapWords.untitled}</bdi>
                      </Link>
                    </span>
                  </th>
                  <td>{below.toLocaleString("en")}</td>
                  <td>{percentOf(node.importance)}</td>
                </tr>
              ))}
          </Table>
          <MoreButton query={query} />
        </div>
      )}
    </Loaded>
  );
}
