import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useMatchRoute, useParams, useRouter } from "@tanstack/react-router";
import {
  type ComponentProps,
  type ComponentType,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useState,
} from "react";
import { useApi, useApp } from "../api/app-context.ts";
import { loadChunk } from "../api/chunks.ts";
import { meQuery } from "../api/queries.ts";
import { rememberChoice } from "../api/recent-choices.ts";
import markUrl from "../clew.svg";
import { paths } from "../paths.ts";
import { docsUrl } from "../session/urls.ts";
import { AppearanceChoice } from "../ui/appearance-choice.tsx";
import { focusTitle } from "../ui/focus.ts";
import { AccountIcon, GraphIcon, ReferenceIcon } from "../ui/icons.tsx";
import { Menu } from "../ui/menu.tsx";
import { showToast } from "../ui/toast.tsx";
import { useSignOut } from "../views/account/sign-out.ts";
import { appearanceWords, brand, failureWords, shellWords } from "../words.ts";
import { loadPalette } from "./lazy-views.ts";
import { Notices } from "./notices.tsx";
import { RailLabel } from "./rail-label.tsx";
import { otherSections, partsOfGraph } from "./rail-sections.ts";
import { SearchField } from "./search-field.tsx";
import { Keys, paletteKeys, ShortcutHelp, useShortcuts } from "./shortcuts.tsx";

const referenceUrl = new URL("api", docsUrl).href;

/** The frame around every view: the sections at the left, or at the bottom of a narrow window, and the search above. */
export function Shell({ children }: { children?: ReactNode }) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  const palette = usePalette(openHelp);
  useShortcuts({ onHelp: openHelp, onPalette: palette.open });
  useFocusOnNewView();
  useRememberedPages();
  // The map goes to the edges of the window, and has a search of its own.
  const isMap = useMatchRoute()({ to: paths.map }) !== false;
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
          {otherSections.map(({ to, label, Icon, isNarrow }) => (
            <Link key={to} to={to} className={`rail-link ${isNarrow ? "" : "max-md:hidden"}`}>
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
          <AccountMenu onHelp={openHelp} isWide />
        </div>
      </nav>
      <div className="grid min-w-0 grid-rows-[auto_1fr] border-line md:border-l">
        {isMap ? null : (
          <header className="top-bar">
            <Link to={paths.home} className="md:hidden" aria-label={brand}>
              <img src={markUrl} alt="" width="28" height="28" />
            </Link>
            <SearchField />
            <button
              type="button"
              className="button button-quiet hidden min-h-9 gap-2 px-2 text-sm font-normal text-quiet md:inline-flex"
              aria-keyshortcuts={paletteKeys.replace("Ctrl ", "Control+").replace("⌘ ", "Meta+")}
              onClick={palette.open}
            >
              {shellWords.commands}
              <Keys keys={paletteKeys} />
            </button>
            <div className="md:hidden">
              <AccountMenu onHelp={openHelp} />
            </div>
          </header>
        )}
        <main
          id="content"
          tabIndex={-1}
          className={`min-w-0 outline-none ${isMap ? "relative row-span-2" : "px-4 pt-6 pb-28 md:px-10 md:pt-8 md:pb-16"}`}
        >
          {isMap ? (
            <div className="absolute inset-x-4 top-14 z-10">
              <Notices />
            </div>
          ) : (
            <Notices />
          )}
          {children ?? <Outlet />}
        </main>
      </div>
      {palette.shown}
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
      {partsOfGraph.map(({ to, label, short, isNarrow, Icon }) => (
        <Link
          key={to}
          to={to}
          className={`rail-link md:ml-5 md:min-h-9 md:text-[0.9375rem] ${isNarrow ? "" : "max-md:hidden"}`}
          activeOptions={{ includeSearch: false }}
        >
          <Icon />
          <RailLabel label={label} short={short} />
        </Link>
      ))}
    </>
  );
}

/** The palette, which is loaded when it is first opened, or before that while the browser is idle. */
function usePalette(onHelp: () => void): { readonly open: () => void; readonly shown: ReactNode } {
  type Part = Awaited<ReturnType<typeof loadPalette>>["Palette"];
  const [Palette, setPalette] = useState<ComponentType<ComponentProps<Part>> | null>(null);
  const [isOpen, setOpen] = useState(false);
  const isLoaded = Palette !== null;
  const open = useCallback(async () => {
    try {
      // Once it is loaded it opens at once: the next key is for it.
      if (!isLoaded) {
        const loaded = await loadChunk(loadPalette);
        setPalette(() => loaded.Palette);
      }
      setOpen(true);
    } catch {
      showToast(failureWords.own);
    }
  }, [isLoaded]);
  return {
    open,
    shown: isOpen && Palette !== null ? <Palette onClose={() => setOpen(false)} onHelp={onHelp} /> : null,
  };
}

/** Keeps the pages that are opened, for the lists that begin with the latest ones. */
function useRememberedPages(): void {
  const { keeper } = useApp();
  const { pageId } = useParams({ strict: false });
  useEffect(() => {
    if (pageId !== undefined) rememberChoice(keeper, { page: pageId });
  }, [keeper, pageId]);
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

/**
 * Moves the focus to the title of a view that a link led to, as if the page had been loaded. A person who types while the view is
 * on its way stays in their field.
 */
function useFocusOnNewView(): void {
  const router = useRouter();
  useEffect(() => {
    let isTyping = false;
    const type = () => {
      isTyping = true;
    };
    addEventListener("input", type);
    const unsubscribes = [
      router.subscribe("onBeforeNavigate", () => {
        isTyping = false;
      }),
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged && !isTyping) focusTitle();
      }),
    ];
    return () => {
      removeEventListener("input", type);
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [router]);
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
      {isWide ? null : (
        <Link to={paths.activity} className="menu-button">
          {shellWords.activity}
        </Link>
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
