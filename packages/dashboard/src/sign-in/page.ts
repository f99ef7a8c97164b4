import type { SignInStatus, Source } from "@clew/contract";
import markUrl from "../clew.svg";
import { appRequestAt, docsUrl, signInStatusUrl, signInUrlFor } from "../session/urls.ts";
import { brand, connectWords, failureWords, signInWords } from "../words.ts";
import { element } from "./element.ts";

/**
 * The page for people who are not signed in, also of those who have to decide about an app's request. It needs no library:
 * what they wait for is one button.
 * @param notices `failure`: why they are here again; `note`: what they have just done
 */
export async function showSignIn(
  root: HTMLElement,
  { failure, note }: { failure?: string; note?: string },
): Promise<void> {
  document.title = `${signInWords.title} · ${brand}`;
  const request = appRequestAt(new URL(location.href));
  const words = request === null ? signInWords : connectWords.signIn;
  const action = element("div", { class: "flex min-h-12 flex-wrap gap-3" });
  const hint = element("div", { class: "min-h-16 text-quiet" });
  const heading = element(
    "h1",
    { class: "text-4xl leading-tight sm:text-5xl", tabindex: "-1" },
    words.heading,
  );
  root.replaceChildren(
    frame(
      failure === undefined ? null : notice(failure),
      note === undefined ? null : element("p", { class: "card px-4 py-3" }, note),
      heading,
      element("p", { class: "max-w-prose text-lg text-quiet" }, words.what),
      action,
      hint,
    ),
  );
  if (failure !== undefined || note !== undefined) heading.focus();
  if (note !== undefined) announce(note);
  try {
    const status = await readStatus();
    action.replaceChildren(...status.sources.map((source, index) => button(source, request, index === 0)));
    if (status.setup !== null) hint.replaceChildren(howTo(status.setup));
    else hint.replaceChildren(...aboutFolders(status.sources));
  } catch {
    action.replaceChildren(
      notice(failureWords.unreachable, () => showSignIn(root, { ...(failure && { failure }) })),
    );
  }
}

/** The signed-in application could not be loaded. */
export function showUnreachable(root: HTMLElement): void {
  root.replaceChildren(
    frame(
      element("h1", { class: "sr-only" }, failureWords.own),
      notice(failureWords.unreachable, () => location.reload()),
    ),
  );
}

async function readStatus(): Promise<SignInStatus> {
  const response = await fetch(signInStatusUrl);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

function frame(...content: (Node | null)[]): HTMLElement {
  return element(
    "main",
    { class: "mx-auto flex min-h-dvh max-w-2xl flex-col px-5 py-6" },
    element(
      "p",
      { class: "flex items-center gap-2 font-serif text-xl font-semibold" },
      element("img", { src: markUrl, alt: "", width: "32", height: "32" }),
      brand,
    ),
    element("div", { class: "my-auto grid justify-items-start gap-6 py-12" }, ...content),
  );
}

/** The button that begins a sign-in at a source. It leads back to the app's request, if there is one. */
function button({ provider, name, kind }: Source, request: string | null, isFirst: boolean): HTMLElement {
  const labels = {
    service: signInWords.signIn(name),
    folder: signInWords.open(name),
    demo: signInWords.demo,
  };
  const look = isFirst ? "button button-primary button-large" : "button button-large";
  return element("a", { class: look, href: signInUrlFor(provider, request) }, labels[kind]);
}

/** Says what folders are, and what opens them; nothing without folders. */
function aboutFolders(sources: readonly Source[]): readonly HTMLElement[] {
  const folders = sources.filter(({ kind }) => kind === "folder");
  if (folders.length === 0) return [];
  const what = signInWords.folders(folders.map(({ name }) => name));
  const words = folders.some((folder) => folder.asks_for_code) ? [what, signInWords.code] : [what];
  return words.map((text) => element("p", {}, text));
}

/** The steps to take before people can sign in with a provider. */
function howTo({ name, steps }: NonNullable<SignInStatus["setup"]>): HTMLElement {
  return element(
    "div",
    { class: "grid gap-2" },
    element("p", {}, signInWords.notConnected(name)),
    element(
      "details",
      {},
      element("summary", { class: "w-fit py-1 text-thread underline" }, signInWords.howTo(name)),
      element(
        "ol",
        { class: "grid list-decimal gap-1 py-2 pl-6" },
        ...steps.map((step) => element("li", {}, step)),
        element("li", {}, element("a", { class: "link", href: docsUrl }, signInWords.howToMore)),
      ),
    ),
  );
}

function notice(text: string, tryAgain?: () => void): HTMLElement {
  return element(
    "div",
    { class: "notice notice-warn", role: "alert" },
    element("p", {}, text),
    tryAgain === undefined
      ? null
      : element("button", { class: "button", type: "button", onclick: tryAgain }, failureWords.tryAgain),
  );
}

function announce(text: string): void {
  const place = document.getElementById("announcement");
  if (place !== null) place.textContent = text;
}
