import type { TreeBlock } from "@clew/text";
import { createContext, use } from "react";
import { ReferenceIcon, SearchIcon } from "../ui/icons.tsx";
import { type AddressedInline, Markdown, NoLinks, Pieces } from "../ui/markdown.tsx";
import { brand } from "../words.ts";
import type { SiteLink, SitePage, SiteSection } from "./site-page.ts";
import { docsWords } from "./words.ts";

const PageContext = createContext<SitePage | null>(null);

/** Returns the page that is rendered. */
function usePage(): SitePage {
  const page = use(PageContext);
  if (page === null) throw new Error("Nothing is shown outside of a page.");
  return page;
}

/** The address of a page relative to `/docs/`, where all links begin. */
const hrefOf = (address: string) => address || "./";

/** A page of the documentation with the frame around it. It needs no script but for the search. */
export function Page({
  page,
  sections,
  markUrl,
}: {
  page: SitePage;
  sections: readonly SiteSection[];
  markUrl: string;
}) {
  return (
    <PageContext value={page}>
      <a className="skip-link" href={`${hrefOf(page.address)}#content`}>
        {docsWords.skip}
      </a>
      <TopBar markUrl={markUrl} />
      <div className="docs-frame">
        <PageList sections={sections} />
        <main id="content" tabIndex={-1} className="docs-main">
          <h1 className="mb-4 text-4xl">{page.title}</h1>
          <article className="min-w-0 text-[1.0625rem]">
            <Markdown
              blocks={page.blocks}
              // Headings alone have an id: the name by which other pages lead to them.
              frame={{ idOf: (block) => page.headings.get(block)?.anchor, Addressed, HeadingEnd }}
            />
          </article>
          <Neighbors pages={sections.flatMap(({ pages }) => pages)} />
        </main>
        <Contents />
      </div>
    </PageContext>
  );
}

function TopBar({ markUrl }: { markUrl: string }) {
  return (
    <header className="docs-bar">
      <a className="flex items-center gap-2 font-serif text-xl font-semibold" href="./">
        <img src={markUrl} alt="" width="28" height="28" />
        {brand}
        <span className="sr-only"> {docsWords.documentation}</span>
      </a>
      {/* Shown by the script that searches. */}
      <search hidden className="docs-search">
        <span className="docs-search-sign">
          <SearchIcon size={18} />
        </span>
        <input
          type="search"
          className="input pl-10"
          aria-label={docsWords.search}
          aria-keyshortcuts="/"
          placeholder={docsWords.searchHint}
          maxLength={200}
          autoComplete="off"
        />
        <div className="docs-found" hidden>
          <p role="status" className="px-4 py-2 text-sm text-quiet" />
          <ol />
        </div>
      </search>
      <span className="docs-bar-end">
        <a className="docs-bar-link" href="api">
          <ReferenceIcon />
          {docsWords.reference}
        </a>
        <a className="docs-bar-link" href="../dashboard">
          {docsWords.dashboard}
        </a>
      </span>
      <span className="docs-bar-lists">
        <button type="button" className="button button-small" popoverTarget="pages">
          {docsWords.pages}
        </button>
        <button type="button" className="button button-small" popoverTarget="contents">
          {docsWords.onThisPage}
        </button>
      </span>
    </header>
  );
}

/** All pages; in a narrow window a button opens them. */
function PageList({ sections }: { sections: readonly SiteSection[] }) {
  const { address } = usePage();
  return (
    <nav id="pages" popover="auto" aria-label={docsWords.pages} className="docs-pages">
      <CloseButton list="pages" />
      {sections.map(({ title, pages }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map((each) => (
              <li key={each.address}>
                <a href={hrefOf(each.address)} aria-current={each.address === address ? "page" : undefined}>
                  {each.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** The headings of the page; in a narrow window a button opens them. */
function Contents() {
  const { address, headings } = usePage();
  return (
    <nav id="contents" popover="auto" aria-label={docsWords.onThisPage} className="docs-contents">
      <CloseButton list="contents" />
      <h2>{docsWords.onThisPage}</h2>
      <ul>
        {[...headings.values()]
          .filter(({ level }) => level <= 3)
          .map(({ anchor, level, text }) => (
            <li key={anchor} data-level={level}>
              <a href={`${hrefOf(address)}#${anchor}`}>{text}</a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

/** Closes a list that a button has opened; not there while the list is a column. */
function CloseButton({ list }: { list: string }) {
  return (
    <button
      type="button"
      className="button button-small docs-close"
      popoverTarget={list}
      popoverTargetAction="hide"
    >
      {docsWords.close}
    </button>
  );
}

/** The pages before and after this one. */
function Neighbors({ pages }: { pages: readonly SiteLink[] }) {
  const { address } = usePage();
  const index = pages.findIndex((each) => each.address === address);
  const before = pages[index - 1];
  const next = index === -1 ? undefined : pages[index + 1];
  return (
    <p className="docs-neighbors">
      {before === undefined ? null : (
        <a className="card" href={hrefOf(before.address)}>
          <span>{docsWords.before}</span> {before.title}
        </a>
      )}
      {next === undefined ? null : (
        <a className="card" href={hrefOf(next.address)}>
          <span>{docsWords.next}</span> {next.title}
        </a>
      )}
    </p>
  );
}

function Addressed({ piece }: { piece: AddressedInline }) {
  const destination = usePage().destinationOf(piece.address);
  const words = (
    <NoLinks>
      <Pieces pieces={piece.children} />
    </NoLinks>
  );
  switch (destination.kind) {
    case "picture":
      return <Picture piece={piece} {...destination} />;
    case "file":
      return (
        <span className="docs-file" title={docsWords.inRepository(destination.path)}>
          {words}
        </span>
      );
    case "page":
      return (
        <a className="link" href={destination.href}>
          {words}
        </a>
      );
    case "elsewhere":
      return (
        <a className="link" href={destination.href} target="_blank" rel="noreferrer noopener">
          {words}
          <span className="sr-only"> {docsWords.otherSite}</span>
          <span aria-hidden="true">&#8239;↗</span>
        </a>
      );
  }
}

function Picture({ piece, src, darkSrc }: { piece: AddressedInline; src: string; darkSrc: string | null }) {
  const [alt] = piece.children.flatMap((child) => (child.kind === "text" ? [child.text] : []));
  const image = <img className="docs-picture" src={src} alt={alt ?? ""} loading="lazy" />;
  if (darkSrc === null) return image;
  return (
    <picture>
      <source media="(prefers-color-scheme: dark)" srcSet={darkSrc} />
      {image}
    </picture>
  );
}

/** The sign at the end of a heading that leads to it. */
function HeadingEnd({ block }: { block: TreeBlock }) {
  const { address, headings } = usePage();
  const heading = headings.get(block);
  if (heading === undefined) return null;
  return (
    <a
      className="docs-anchor"
      href={`${hrefOf(address)}#${heading.anchor}`}
      aria-label={docsWords.toHeading(heading.text)}
    >
      #
    </a>
  );
}
