import { everything } from "../notion/view.ts";
import {
  type AuthorizationRequest,
  answerTo,
  type Client,
  createRequestSeal,
  readAuthorizationRequest,
  UntrustedRequest,
} from "../oauth/authorization-request.ts";
import type { Codes } from "../oauth/codes.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { pageAnswer, redirectAnswer, type SiteAnswer } from "./answer.ts";
import { consentPage, faultPage, listedPages, theRest } from "./consent-page.ts";

/** What the consent screen needs. */
export interface ConsentParts {
  readonly client: Client;
  /** What the screen calls the client. */
  readonly clientName: string;
  /** Origins that a redirect address itself leads on to: browsers apply a form's policy to the whole way. */
  readonly onwardOrigins: readonly string[];
  readonly codes: Codes;
  readonly sealKey: Uint8Array;
  readonly clock: () => number;
  /** Where the site is mounted, without a slash at its end. */
  readonly basePath: string;
  workspace(): Workspace;
}

/** The consent screen: a person chooses who they are and what they share, and goes back with a code. */
export interface Consent {
  /** Shows the screen for the query of an authorization request. */
  ask(query: unknown): SiteAnswer;
  /** Takes the form that the screen sends. */
  decide(form: URLSearchParams): Promise<SiteAnswer>;
}

export function createConsent(parts: ConsentParts): Consent {
  const { basePath, codes, clientName, onwardOrigins } = parts;
  const seal = createRequestSeal(parts.sealKey, parts.clock);
  const refuse = (message: string) => pageAnswer(400, faultPage(basePath, message));
  return {
    ask(query) {
      try {
        const { request, error } = readAuthorizationRequest(query, parts.client);
        if (error !== null) return goBack(request, { error });
        const sealed = seal.seal(request);
        const page = consentPage(parts.workspace(), { basePath, clientName, sealed });
        return pageAnswer(200, page, [new URL(request.redirectUri).origin, ...onwardOrigins]);
      } catch (error) {
        if (error instanceof UntrustedRequest) return refuse(error.message);
        throw error;
      }
    },

    async decide(form) {
      const request = seal.open(form.get("request") ?? "");
      if (request === null) return refuse("The form is too old, or was not made here.");
      if (form.get("decision") !== "allow") return goBack(request, { error: "access_denied" });
      const workspace = parts.workspace();
      const person = workspace.people.find(({ id }) => id === form.get("person"));
      if (person === undefined) return refuse("Nobody was chosen.");
      const sharedIds = chosenIds(workspace, form.getAll(`pages:${person.id}`));
      const { redirectUri } = request;
      return goBack(request, { code: await codes.issue({ personId: person.id, sharedIds, redirectUri }) });
    },
  };
}

/** What was chosen; whoever shares all that there is shares what comes later as well: new notes lie at the top of a vault. */
function chosenIds(workspace: Workspace, chosen: readonly string[]): string[] {
  const { listed, rest } = listedPages(workspace);
  const pages = listed.filter(({ id }) => chosen.includes(id));
  const ids = [...pages, ...(chosen.includes(theRest) ? rest : [])].map(({ id }) => id);
  return ids.length > 0 && ids.length === listed.length + rest.length ? [everything] : ids;
}

function goBack(request: AuthorizationRequest, answer: { code: string } | { error: string }): SiteAnswer {
  return redirectAnswer(answerTo(request, answer));
}
