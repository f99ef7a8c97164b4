import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { linkKinds } from "../../../api/link-kinds.ts";
import { paths } from "../../../paths.ts";
import { graphWords } from "../../../words.ts";
import { kindsOf, readPageSearch } from "../page/page-params.ts";
import { dashes, widths } from "./drawing.tsx";
import { pictureWords } from "./words.ts";

const route = getRouteApi(paths.page);

/** The steps and the kinds of links of a local graph, which are in the URL. */
export function PictureControls({
  pageId,
  isHub,
}: {
  pageId: string;
  /** Whether the first step fills the picture. */
  isHub: boolean;
}) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = (changes: Readonly<Record<string, unknown>>) =>
    void navigate({
      to: paths.page,
      params: { pageId },
      search: readPageSearch({ ...search, ...changes }),
      replace: true,
      resetScroll: false,
    });
  const kinds = kindsOf(search);
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
      <fieldset className="flex items-center gap-3">
        <legend className="sr-only">{pictureWords.depth}</legend>
        {([1, 2] as const).map((depth) => (
          <label key={depth} className="flex min-h-8 items-center gap-1.5">
            <input
              type="radio"
              name="depth"
              className="size-4"
              checked={(isHub ? 1 : (search.depth ?? 1)) === depth}
              disabled={isHub && depth > 1}
              onChange={() => change({ depth })}
            />
            {pictureWords.depths[depth]}
          </label>
        ))}
      </fieldset>
      <fieldset className="flex flex-wrap items-center gap-x-3">
        <legend className="sr-only">{pictureWords.kinds}</legend>
        {linkKinds.map((kind) => (
          <label key={kind} className="flex min-h-8 items-center gap-1.5">
            <input
              type="checkbox"
              className="size-4"
              checked={kinds.includes(kind)}
              onChange={({ target }) =>
                change({
                  kinds: linkKinds
                    .filter((each) => (each === kind ? target.checked : kinds.includes(each)))
                    .join(","),
                })
              }
            />
            {graphWords.kindsOfMany[kind]}
            <svg aria-hidden="true" width="24" height="4" className="stroke-quiet">
              <line x1="0" y1="2" x2="24" y2="2" strokeWidth={widths[kind]} strokeDasharray={dashes[kind]} />
            </svg>
          </label>
        ))}
      </fieldset>
    </div>
  );
}
