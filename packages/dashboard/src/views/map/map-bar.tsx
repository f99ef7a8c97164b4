import type { Workspace } from "@clew/client";
import { type ReactNode, type ToggleEvent, useId, useRef } from "react";
import { CopyCall } from "../../ui/copy-call.tsx";
import { DownloadIcon, MapIcon, MoreIcon, TableIcon } from "../../ui/icons.tsx";
import { workspaceWords } from "../../words.ts";
import { mapColours } from "./map-file.ts";
import { type ChangeSearch, type Colouring, isList, type MapSearch, mapLists } from "./map-params.ts";
import { MapSearchField } from "./map-search.tsx";
import { mapWords } from "./words.ts";

interface BarProps {
  readonly workspace: Workspace;
  readonly all: readonly Workspace[];
  readonly search: MapSearch;
  readonly change: ChangeSearch;
  /** Called with the page that was chosen in the search. */
  readonly onChoose: (pageId: string) => void;
  readonly onDownload: () => void;
}

/** The bar above the map: its title, the search and all switches. A narrow window has the switches behind a button. */
export function MapBar(props: BarProps) {
  const { workspace, search, change, onChoose } = props;
  return (
    <header className="flex h-11 min-w-0 items-center gap-2 border-b border-line bg-surface px-2 sm:px-4 lg:gap-3">
      <h1 tabIndex={-1} className="px-1 text-lg">
        {mapWords.title}
      </h1>
      <div className="hidden items-center gap-2 lg:flex xl:gap-3">
        <Switches {...props} />
      </div>
      <div className="flex min-w-0 flex-1 items-center justify-end gap-1 md:gap-2">
        <MapSearchField
          workspace={workspace.id}
          q={search.q}
          onType={(q) => change({ q })}
          onChoose={onChoose}
        />
        <div className="hidden items-center lg:flex">
          <Actions {...props} />
        </div>
        <Folded>
          <Switches {...props} />
          <div className="grid justify-items-stretch">
            <Actions {...props} isNamed />
          </div>
        </Folded>
      </div>
    </header>
  );
}

/** The workspace, what the regions are, and what the colours say. */
function Switches({ workspace, all, search, change }: BarProps) {
  const isByLinks = search.by !== "folder";
  return (
    <>
      {all.length > 1 ? (
        <select
          aria-label={mapWords.workspace}
          className="input min-h-8 max-w-40 py-0.5 text-sm"
          value={workspace.id}
          onChange={({ target }) =>
            change({
              workspace: target.value,
              at: undefined,
              page: undefined,
              to: undefined,
              only: undefined,
            })
          }
        >
          {all.map(({ id, name }) => (
            <option key={id} value={id}>
              {name ?? workspaceWords.nameless}
            </option>
          ))}
        </select>
      ) : null}
      <fieldset className="segments">
        <legend className="sr-only">{mapWords.regionsBy}</legend>
        {([true, false] as const).map((byLinks) => (
          <button
            key={String(byLinks)}
            type="button"
            aria-pressed={byLinks === isByLinks}
            onClick={() => change({ by: byLinks ? undefined : "folder", at: undefined, only: undefined })}
          >
            {byLinks ? mapWords.byLink : mapWords.byFolder}
          </button>
        ))}
      </fieldset>
      <label className="flex items-center gap-1.5 text-sm whitespace-nowrap text-quiet">
        {mapWords.colour}
        <select
          className="input min-h-8 w-auto py-0.5 text-sm"
          value={search.colour ?? "region"}
          onChange={({ target }) => {
            const chosen = colourings.find((each) => each === target.value);
            change({ colour: chosen === "region" ? undefined : chosen, only: undefined });
          }}
        >
          <optgroup label={mapWords.colourBy}>
            {mapColours.map((each) => (
              <option key={each} value={each}>
                {mapWords.colours[each]}
              </option>
            ))}
          </optgroup>
          <optgroup label={mapWords.colourLists}>
            {mapLists.map((each) => (
              <option key={each} value={each}>
                {mapWords.colours[each]}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
    </>
  );
}

const colourings: readonly Colouring[] = [...mapColours, ...mapLists];

/** The actions on the map. In a narrow window each button has its name beside its drawing. */
function Actions({
  workspace,
  search,
  change,
  onDownload,
  isNamed = false,
}: BarProps & { isNamed?: boolean }) {
  const isTable = search.view === "table";
  const { by, colour = "region" } = search;
  return (
    <>
      <IconButton
        label={isTable ? mapWords.picture : mapWords.table}
        isNamed={isNamed}
        onClick={() => change({ view: isTable ? undefined : "table" })}
      >
        {isTable ? <MapIcon size={18} /> : <TableIcon size={18} />}
      </IconButton>
      {isTable ? null : (
        <IconButton label={mapWords.download} isNamed={isNamed} onClick={onDownload}>
          <DownloadIcon size={18} />
        </IconButton>
      )}
      <CopyCall
        path={`workspaces/${workspace.id}/map/`}
        query={{ links: by !== "folder", ...(isList(colour) || colour === "region" ? {} : { colour }) }}
        file="map.cmap"
        tool="workspace_overview"
        args={{ workspace: workspace.id, depth: 2 }}
        isSmall={!isNamed}
      />
    </>
  );
}

function IconButton({
  label,
  isNamed,
  onClick,
  children,
}: {
  label: string;
  isNamed: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  if (isNamed)
    return (
      <button type="button" className="menu-button" onClick={onClick}>
        {children}
        {label}
      </button>
    );
  return (
    <button
      type="button"
      className="grid size-8 place-content-center rounded-lg text-quiet hover:bg-sunken hover:text-ink"
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** A button that opens the controls for which a narrow window has no room. */
function Folded({ children }: { children: ReactNode }) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const place = ({ newState }: ToggleEvent) => {
    const bottom = opener.current?.getBoundingClientRect().bottom;
    if (newState === "open" && panel.current !== null && bottom !== undefined)
      panel.current.style.top = `${bottom + 8}px`;
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className="grid size-9 shrink-0 place-content-center rounded-lg text-quiet hover:text-ink lg:hidden"
        aria-label={mapWords.more}
        popoverTarget={id}
      >
        <MoreIcon />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onToggle={place}
        className="card fixed inset-x-2 bottom-auto m-0 w-auto p-3 md:left-auto text-ink shadow-xl lg:hidden"
      >
        <div className="grid justify-items-start gap-3">{children}</div>
      </div>
    </>
  );
}
