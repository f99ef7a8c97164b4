import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useMatchRoute, useRouter } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { useApi } from "../api/app-context.ts";
import { meQuery } from "../api/queries.ts";
import markUrl from "../clew.svg";
import { paths } from "../paths.ts";
import { docsUrl } from "../session/urls.ts";
import { AppearanceChoice } from "../ui/appearance-choice.tsx";
import { focusTitle } from "../ui/focus.ts";
import { AccountIcon, GraphIcon, ReferenceIcon } from "../ui/icons.tsx";
import { Menu } from "../ui/menu.tsx";
import { useSignOut } from "../views/account/sign-out.ts";
import { appearanceWords, brand, shellWords } from "../words.ts";
import { Notices } from "./notices.tsx";
import { otherSections, partsOfGraph } from "./rail-sections.ts";
import { SearchField } from "./search-field.tsx";
import { ShortcutHelp, useShortcuts } from "./shortcuts.tsx";

const referenceUrl = new URL("api", docsUrl).href;

/** The frame around every view: the sections at the left, or at the bottom of a narrow window, and the search above. */
export function Shell({ children }: { children?: ReactNode }) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts(() => setHelpOpen(true));
  useFocusOnNewView();
  return (
    <div className="frame min-h-dvh md:grid md:grid-cols-[13rem_1fr]">
      {/* biome-ignore lint/a11y/useValidAnchor: with `<base>`, its address alone would lead to another page. */}
      <a className="skip-link" href="#content" onClick={skip}>
        {shellWords.skip}
      </a>
      <nav aria-label={shellWords.sections} className="rail">
        <Link
          to={paths.home}
          className="hidden items-center gap-2 px-3 py-1 font-serif text-xl font-semibold md:flex"
        >
          <img src={markUrl} alt="" width="28" height="28" />
          {brand}
        </Link>
        <div className="rail-sections">
          <GraphLinks />
          {otherSections.map(({ to, label, Icon }) => (
            <Link key={to} to={to} className="rail-link">
              <Icon />
              <span>{label}</span>
            </Link>
          ))}
        </div>
        <div className="mt-auto hidden gap-1 md:grid">
          <a className="rail-link" href={referenceUrl}>
            <ReferenceIcon />
            <span>{shellWords.reference}</span>
          </a>
          <AccountMenu onHelp={() => setHelpOpen(true)} isWide />
        </div>
      </nav>
      <div className="grid min-w-0 grid-rows-[auto_1fr] border-line md:border-l">
        <header className="top-bar">
          <Link to={paths.home} className="md:hidden" aria-label={brand}>
            <img src={markUrl} alt="" width="28" height="28" />
          </Link>
          <SearchField />
          <div className="md:hidden">
            <AccountMenu onHelp={() => setHelpOpen(true)} />
          </div>
        </header>
        <main
          id="content"
          tabIndex={-1}
          className="min-w-0 px-4 pt-6 pb-28 outline-none md:px-10 md:pt-8 md:pb-16"
        >
          <Notices />
          {children ?? <Outlet />}
        </main>
      </div>
      {isHelpOpen ? <ShortcutHelp onClose={() => setHelpOpen(false)} /> : null}
    </div>
  );
}

/** The graph's section is marked in all of its views: as the current page, or as what holds it. */
function GraphLinks() {
  const matchRoute = useMatchRoute();
  const isInPart = partsOfGraph.some(({ to }) => matchRoute({ to }) !== false);
  return (
    <>
      <Link
        to={paths.graph}
        className="rail-link"
        activeOptions={{ exact: isInPart, includeSearch: false }}
        aria-current={isInPart ? "true" : undefined}
      >
        <GraphIcon />
        <span>{shellWords.graph}</span>
      </Link>
      {partsOfGraph.map(({ to, label, Icon }) => (
        <Link
          key={to}
          to={to}
          className="rail-link max-md:hidden md:ml-5 md:min-h-9 md:text-[0.9375rem]"
          activeOptions={{ includeSearch: false }}
        >
          <Icon size={16} />
          <span>{label}</span>
        </Link>
      ))}
    </>
  );
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

/** Moves the focus to the title of a view that a link led to, as if the page had been loaded. */
function useFocusOnNewView(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged) focusTitle();
      }),
    [router],
  );
}

function AccountMenu({ onHelp, isWide = false }: { onHelp: () => void; isWide?: boolean }) {
  const { data: me } = useQuery(meQuery(useApi()));
  const signOut = useSignOut();
  const name = me?.name ?? me?.email ?? shellWords.account;
  return (
    <Menu
      label={`${shellWords.account}: ${name}`}
      button={
        <>
          <AccountIcon />
          {isWide ? <span className="truncate">{name}</span> : null}
        </>
      }
    >
      {me === undefined ? null : (
        <p className="grid border-b border-line px-3 pt-1 pb-2">
          <span className="font-medium">{me.name}</span>
          <span className="text-sm text-quiet">{me.email}</span>
        </p>
      )}
      <Link to={paths.account} className="menu-button">
        {shellWords.yourAccount}
      </Link>
      <a className="menu-button" href={docsUrl}>
        {shellWords.documentation}
      </a>
      {isWide ? null : (
        <a className="menu-button" href={referenceUrl}>
          {shellWords.reference}
        </a>
      )}
      <div className="grid gap-1 px-3 py-2">
        <span className="text-sm text-quiet">{appearanceWords.title}</span>
        <AppearanceChoice />
      </div>
      <button type="button" className="menu-button w-full" onClick={onHelp}>
        {shellWords.shortcuts}
      </button>
      <button type="button" className="menu-button w-full" onClick={signOut}>
        {shellWords.signOut}
      </button>
    </Menu>
  );
}
