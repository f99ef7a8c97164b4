import { inProcessFetch, type PlainAnswer, type PlainRequest } from "../http/in-process-fetch.ts";
import type { SiteAnswer } from "../site/layout.ts";
import type { StandInLog } from "../stand-in.ts";
import { type EmbedSettings, StandInThread } from "./thread.ts";

/** The settings of an embedded stand-in: the workspace and its client. */
export interface EmbedOptions extends EmbedSettings {
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  readonly log?: StandInLog;
}

/** The pages for browsers, to be mounted at `siteUrl`. */
export interface EmbeddedSite {
  /** The consent screen for the query of an authorization request. */
  consentScreen(query: unknown): Promise<SiteAnswer>;
  /** Handles the submitted form of that screen. */
  submitConsent(form: URLSearchParams): Promise<SiteAnswer>;
  /** A page, for a browser whose `Cookie` header shows that it has signed in; otherwise a 403. */
  page(id: string, cookies: string | undefined): Promise<SiteAnswer>;
  style(): Promise<SiteAnswer>;
}

/** A stand-in inside another program. It opens no port. */
export interface EmbeddedStandIn {
  /** Calls the API. The host of the address is ignored. */
  readonly fetch: typeof globalThis.fetch;
  /** Answers a call of the API that another thread makes with `inProcessFetch`. */
  answer(request: PlainRequest): Promise<PlainAnswer>;
  readonly site: EmbeddedSite;
  close(): Promise<void>;
}

/**
 * Serves a folder of Markdown without a server of its own, in a thread: no file of the folder, however large or odd,
 * holds up the program. Throws if the folder or the state file cannot be read.
 */
export async function embedStandIn({ clock, log, ...settings }: EmbedOptions): Promise<EmbeddedStandIn> {
  const thread = new StandInThread(settings, clock, log);
  await thread.start();
  const answer = (request: PlainRequest) => thread.call("answer", request);
  return {
    fetch: inProcessFetch(answer),
    answer,
    site: {
      consentScreen: (query) => thread.call("consentScreen", query),
      submitConsent: (form) => thread.call("submitConsent", form.toString()),
      page: (id, cookies) => thread.call("page", { id, cookies }),
      style: () => thread.call("style", null),
    },
    close: () => thread.close(),
  };
}
