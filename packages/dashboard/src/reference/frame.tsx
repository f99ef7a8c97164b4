import { paths } from "../paths.ts";
import { RailLabel } from "../routes/rail-label.tsx";
import { otherSections, partsOfGraph } from "../routes/rail-sections.ts";
import { AccountIcon, GraphIcon, ReferenceIcon, SearchIcon } from "../ui/icons.tsx";
import { brand, shellWords } from "../words.ts";
import { referenceWords } from "./words.ts";

/** The address of a view of the dashboard, relative to `/docs/`, where all links begin. */
const viewHref = (path: string) => `../dashboard${path}`;

/** The frame of the API reference: that of the dashboard, as links alone, with the operations beside the text. */
export function ReferenceFrame({
  markUrl,
  list,
  content,
}: {
  markUrl: string;
  list: string;
  content: string;
}) {
  return (
    <>
      {/* The script moves the focus; without it the target is on the page that `<base>` names. */}
      <a className="skip-link" href="#content" data-skip="">
        {referenceWords.skip}
      </a>
      <div className="min-h-dvh md:grid md:grid-cols-[13rem_1fr]">
        <Rail markUrl={markUrl} />
        <div className="api-frame">
          <header className="top-bar">
            <a className="md:hidden" href={viewHref("")} aria-label={brand}>
              <img src={markUrl} alt="" width="28" height="28" />
            </a>
            <SearchField />
            <button type="button" className="button button-small api-open" popoverTarget="operations">
              {referenceWords.operations}
            </button>
          </header>
          <nav id="operations" popover="auto" aria-label={referenceWords.operations} className="api-nav">
            <button
              type="button"
              className="button button-small api-close"
              popoverTarget="operations"
              popoverTargetAction="hide"
            >
              {referenceWords.close}
            </button>
            <p role="status" className="api-found" />
            {list}
          </nav>
          <main id="content" tabIndex={-1} className="api-main">
            {content}
          </main>
        </div>
      </div>
    </>
  );
}

function Rail({ markUrl }: { markUrl: string }) {
  return (
    <nav aria-label={shellWords.sections} className="rail">
      <a
        href={viewHref("")}
        className="hidden items-center gap-2 px-3 py-1 font-serif text-xl font-semibold md:flex"
      >
        <img src={markUrl} alt="" width="28" height="28" />
        {brand}
      </a>
      <div className="rail-sections">
        <a className="rail-link" href={viewHref(paths.graph)}>
          <GraphIcon />
          <span>{shellWords.graph}</span>
        </a>
        {partsOfGraph.map(({ to, label, short, isNarrow, Icon }) => (
          <a
            key={to}
            className={`rail-link md:ml-5 md:min-h-9 md:text-[0.9375rem] ${isNarrow ? "" : "max-md:hidden"}`}
            href={viewHref(to)}
          >
            <Icon />
            <RailLabel label={label} short={short} />
          </a>
        ))}
        {otherSections.map(({ to, label, isNarrow, Icon }) => (
          <a key={to} className={`rail-link ${isNarrow ? "" : "max-md:hidden"}`} href={viewHref(to)}>
            <Icon />
            <span>{label}</span>
          </a>
        ))}
      </div>
      <div className="mt-auto hidden gap-1 md:grid">
        <a className="rail-link" href="api" aria-current="page">
          <ReferenceIcon />
          <span>{shellWords.reference}</span>
        </a>
        <a className="rail-link" href={viewHref(paths.account)}>
          <AccountIcon />
          <span>{referenceWords.account}</span>
        </a>
      </div>
    </nav>
  );
}

/** Filters the list of operations. Shown by the script that does so. */
function SearchField() {
  return (
    <search hidden className="api-search">
      <span className="api-search-sign">
        <SearchIcon size={18} />
      </span>
      <input
        type="search"
        className="input bg-surface pl-10"
        aria-label={referenceWords.search}
        aria-keyshortcuts="/"
        placeholder={referenceWords.searchHint}
        maxLength={200}
        autoComplete="off"
      />
    </search>
  );
}
