import type { Client, Node, NodeDetail, Paths } from "@clew/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { useApi } from "../../../api/app-context.ts";
import { workspacesQuery } from "../../../api/queries.ts";
import { paths } from "../../../paths.ts";
import { CopyCall } from "../../../ui/copy-call.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { View } from "../../../ui/view.tsx";
import { titleOf } from "../page-name.tsx";
import { PagePicker } from "../page-picker.tsx";
import { pageQuery } from "../queries.ts";
import { type PathSearch, readPathSearch, severalPaths } from "./path-params.ts";
import { PathPicture } from "./path-picture.tsx";
import { PathSteps } from "./path-steps.tsx";
import { pathWords } from "./words.ts";

const route = getRouteApi(paths.path);

function requestOf({ from = "", to = "", direction, several, hubs }: PathSearch) {
  return {
    from,
    to,
    ...(direction === undefined ? {} : { direction }),
    max_paths: several === true ? severalPaths : 1,
    ...(hubs === true ? {} : { avoid: "hubs" as const }),
    excerpts: true,
  };
}

const pathsQuery = (api: Client, request: ReturnType<typeof requestOf>) => ({
  queryKey: ["paths", request],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.findPaths(request, { signal }),
  enabled: request.from !== "" && request.to !== "",
});

/** The connection of two pages: a picture, and each step in words. The URL has the two pages. */
export function PathView() {
  const api = useApi();
  const search = route.useSearch();
  const navigate = useNavigate();
  const request = requestOf(search);
  const from = useEnd(request.from);
  const to = useEnd(request.to);
  const query = useQuery(pathsQuery(api, request));
  const isChosen = request.from !== "" && request.to !== "";
  const change = (changes: Readonly<Record<string, unknown>>) =>
    void navigate({ to: paths.path, search: readPathSearch({ ...search, ...changes }), resetScroll: false });
  return (
    <View
      title={
        from === undefined || to === undefined
          ? pathWords.title
          : pathWords.titleFor(titleOf(from), titleOf(to))
      }
      lead={isChosen ? undefined : pathWords.lead}
      width="full"
      actions={
        isChosen ? (
          <CopyCall
            path="paths/"
            query={request}
            tool="find_paths"
            args={{
              from: request.from,
              to: request.to,
              limit: request.max_paths,
              ...(request.avoid === undefined ? {} : { avoid_hubs: true }),
            }}
          />
        ) : undefined
      }
    >
      <div className="card grid items-end gap-4 p-4 sm:p-5 md:grid-cols-[1fr_auto_1fr]">
        <PagePicker
          label={pathWords.from}
          chosen={from === undefined ? "" : titleOf(from)}
          onChoose={(node) => change({ from: node?.id })}
        />
        <button
          type="button"
          className="button justify-self-start"
          onClick={() => change({ from: search.to, to: search.from })}
        >
          {pathWords.swap}
        </button>
        <PagePicker
          label={pathWords.to}
          chosen={to === undefined ? "" : titleOf(to)}
          onChoose={(node) => change({ to: node?.id })}
        />
        <div className="grid gap-4 sm:grid-cols-2 md:col-span-3 md:max-w-2xl">
          <SelectField
            label={pathWords.direction}
            value={search.direction ?? "both"}
            onChange={({ target }) => change({ direction: target.value })}
          >
            <option value="both">{pathWords.directions.both}</option>
            <option value="out">{pathWords.directions.out}</option>
          </SelectField>
          <SelectField
            label={pathWords.most}
            value={search.several === true ? "several" : "one"}
            onChange={({ target }) => change({ several: target.value === "several" })}
          >
            <option value="one">{pathWords.one}</option>
            <option value="several">{pathWords.several}</option>
          </SelectField>
          <label className="flex min-h-8 items-center gap-2 sm:col-span-2">
            <input
              type="checkbox"
              className="size-4"
              checked={search.hubs !== true}
              onChange={({ target }) => change({ hubs: !target.checked })}
            />
            {pathWords.avoidHubs}
          </label>
        </div>
      </div>
      {isChosen ? (
        <Loaded query={query}>
          {(found) => <Found found={found} avoids={request.avoid !== undefined} />}
        </Loaded>
      ) : (
        <p className="text-quiet">{pathWords.choose}</p>
      )}
    </View>
  );
}

/** A page at one end, once it is known. */
function useEnd(id: string): NodeDetail | undefined {
  return useQuery({ ...pageQuery(useApi(), id), enabled: id !== "" }).data;
}

function Found({ found, avoids }: { found: Paths; avoids: boolean }) {
  const id = useId();
  const [first] = found.paths;
  if (first === undefined) return <NothingFound found={found} />;
  if (first.length === 0) return <p className="text-quiet">{pathWords.same}</p>;
  return (
    <>
      <PathPicture paths={found.paths} />
      {avoids ? (
        <p className="text-quiet">{found.avoided_hubs ? pathWords.aroundHubs : pathWords.throughHubs}</p>
      ) : null}
      {found.complete ? null : <Notice kind="warn">{pathWords.incomplete}</Notice>}
      <div className="grid gap-8 lg:grid-cols-[repeat(auto-fit,minmax(24rem,1fr))]">
        {found.paths.map((path, index) => (
          <section
            key={path.nodes.map((node: Node) => node.id).join(" ")}
            aria-labelledby={`${id}-${index}`}
            className="grid max-w-2xl content-start gap-3"
          >
            <h2 id={`${id}-${index}`} className="font-serif text-xl font-semibold">
              {pathWords.heading(index + 1, path.length)}
            </h2>
            <PathSteps path={path} />
          </section>
        ))}
      </div>
    </>
  );
}

/** Two pages are said to be unconnected only if every workspace was read completely once. */
function NothingFound({ found: { status, searched } }: { found: Paths }) {
  const { data: workspaces } = useQuery(workspacesQuery(useApi()));
  const isWhole = workspaces?.every(({ complete_as_of }) => complete_as_of !== null) ?? false;
  const nothing = isWhole ? pathWords.noneWhat : pathWords.noneSoFarWhat;
  const cut =
    status === "depth_reached" ? pathWords.depthReached(searched.max_depth) : pathWords.budgetReached;
  return (
    <Empty title={isWhole ? pathWords.none : pathWords.noneSoFar}>{status === "none" ? nothing : cut}</Empty>
  );
}
