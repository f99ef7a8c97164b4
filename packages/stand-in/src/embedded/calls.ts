import { answerWith, type PlainAnswer, type PlainRequest } from "../http/in-process-fetch.ts";
import type { SiteAnswer } from "../site/layout.ts";
import { buildStandIn, type StandInOptions } from "../stand-in.ts";

/** The page that a browser asks for, and its `Cookie` header. */
interface PageRequest {
  readonly id: string;
  readonly cookies: string | undefined;
}

/** The calls that the thread of an embedded stand-in answers. Inputs and results can be sent between threads. */
export interface Calls {
  answer(request: PlainRequest): Promise<PlainAnswer>;
  consentScreen(query: unknown): SiteAnswer;
  /** Takes the form as `application/x-www-form-urlencoded`. */
  submitConsent(form: string): Promise<SiteAnswer>;
  page(request: PageRequest): SiteAnswer;
  style(input: null): SiteAnswer;
  close(input: null): Promise<void>;
}

/** Builds a stand-in, and what its thread does with it. */
export async function createCalls(options: StandInOptions): Promise<Calls> {
  const { app, standIn } = await buildStandIn(options, () => null);
  await app.ready();
  const { site } = standIn;
  return {
    answer: answerWith(app),
    consentScreen: (query) => site.consentScreen(query),
    submitConsent: (form) => site.submitConsent(new URLSearchParams(form)),
    page: ({ id, cookies }) => site.page(id, cookies),
    style: () => site.style,
    close: () => standIn.close(),
  };
}
