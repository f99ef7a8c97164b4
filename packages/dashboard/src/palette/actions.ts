import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useApi } from "../api/app-context.ts";
import { paths } from "../paths.ts";
import { destinations } from "../routes/destinations.ts";
import { docsUrl } from "../session/urls.ts";
import { appearances, chooseAppearance } from "../ui/appearance.ts";
import { mayLeave } from "../ui/leave-guard.ts";
import { useSignOut } from "../views/account/sign-out.ts";
import { titleOf } from "../views/graph/page-name.tsx";
import { pageQuery } from "../views/graph/queries.ts";
import { appearanceWords, shellWords, shortcutWords } from "../words.ts";
import { paletteWords } from "./words.ts";

/** Something that a person can do from anywhere. */
export interface Action {
  /** Stays the same between versions: it is stored among the latest choices. */
  readonly name: string;
  readonly label: string;
  /** The keys that do the same. */
  readonly keys?: string;
  readonly run: () => void;
}

/** All actions, those about the page that is open first. */
export function useActions({ onHelp }: { onHelp: () => void }): readonly Action[] {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const leaveFor = async (url: string) => {
    if (await mayLeave()) location.assign(url);
  };
  return [
    ...usePageActions(),
    {
      name: "create-token",
      label: paletteWords.createToken,
      run: () => void navigate({ to: paths.newToken }),
    },
    ...destinations.map(({ to, key, name }) => ({
      name: `go-${to}`,
      label: shortcutWords.goTo(name),
      keys: `g ${key}`,
      run: () => void navigate({ to }),
    })),
    {
      name: "account",
      label: shortcutWords.goTo(shellWords.yourAccount),
      run: () => void navigate({ to: paths.account }),
    },
    { name: "connect", label: paletteWords.connect, run: () => void navigate({ to: paths.workspaces }) },
    { name: "docs", label: shellWords.documentation, run: () => void leaveFor(docsUrl) },
    {
      name: "reference",
      label: shellWords.reference,
      run: () => void leaveFor(new URL("api", docsUrl).href),
    },
    { name: "shortcuts", label: shellWords.shortcuts, keys: "?", run: onHelp },
    ...appearances.map((appearance) => ({
      name: `appearance-${appearance}`,
      label: paletteWords.appearance(appearanceWords.choices[appearance]),
      run: () => chooseAppearance(appearance),
    })),
    { name: "sign-out", label: shellWords.signOut, run: signOut },
  ];
}

/** Actions that begin at the page that is open. */
function usePageActions(): readonly Action[] {
  const navigate = useNavigate();
  const client = useQueryClient();
  const api = useApi();
  const { pageId } = useParams({ strict: false });
  if (pageId === undefined) return [];
  const page = client.getQueryData(pageQuery(api, pageId).queryKey);
  const title = page === undefined ? paletteWords.hereUnnamed : titleOf(page);
  return [
    {
      name: "path-from-here",
      label: paletteWords.pathFromHere(title),
      run: () => void navigate({ to: paths.path, search: { from: pageId } }),
    },
    {
      name: "graph-of-here",
      label: paletteWords.graphOfHere(title),
      run: () => void navigate({ to: paths.page, params: { pageId }, search: { view: "graph" } }),
    },
    {
      name: "ask-about-here",
      label: paletteWords.askAboutHere(title),
      run: () => void navigate({ to: paths.ask, search: { near: pageId } }),
    },
  ];
}

/** Words that many labels have. */
const commonWords = new Set(["go", "to", "a", "the", "of", "from"]);

/** The actions in whose labels every word begins a word; common words count only where nothing else was typed. */
export function matchingActions(actions: readonly Action[], words: string): readonly Action[] {
  const typed = wordsOf(words);
  const telling = typed.filter((word) => !commonWords.has(word));
  const wanted = telling.length > 0 ? telling : typed;
  return actions.filter(({ label }) => {
    const own = wordsOf(label).filter((word) => !commonWords.has(word));
    return wanted.every((word) => own.some((each) => each.startsWith(word)));
  });
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
