import { type Entry, isEmoji, type Person, samplePeople, type Workspace } from "@clew/folder";
import { everything } from "../notion/view.ts";
import {
  type AuthorizationRequest,
  answerTo,
  type Client,
  createRequestSeal,
  readAuthorizationRequest,
  UntrustedRequest,
} from "../oauth/authorization-request.ts";
import type { Codes } from "../oauth/grants.ts";
import { type Html, html, layout, pageAnswer, redirectAnswer, type SiteAnswer } from "./layout.ts";
import type { ReaderCookie } from "./reader-cookie.ts";

/** The parts that the consent screen needs. */
export interface ConsentParts {
  readonly client: Client;
  /** The client's name on the screen. */
  readonly clientName: string;
  /** Origins that redirect URIs redirect to in turn. Browsers apply the form's policy to them too. */
  readonly onwardOrigins: readonly string[];
  /** Whether the folder is the operator's own. */
  readonly isOwnFolder: boolean;
  readonly codes: Codes;
  readonly sealKey: Uint8Array;
  /** Lets a browser that has signed in read pages. */
  readonly readers: ReaderCookie;
  readonly clock: () => number;
  /** The path at which the site is mounted, without a trailing slash. */
  readonly basePath: string;
  workspace(): Workspace;
}

/** The consent screen, where people choose who they are and what they share. It redirects them back with a code. */
export interface Consent {
  /** Shows the screen for the query of an authorization request. */
  consentScreen(query: unknown): SiteAnswer;
  /** Handles the submitted form. */
  submitConsent(form: URLSearchParams): Promise<SiteAnswer>;
}

export function createConsent(parts: ConsentParts): Consent {
  const { basePath, codes, clientName, onwardOrigins, isOwnFolder, readers } = parts;
  const seal = createRequestSeal(parts.sealKey, parts.clock);
  const refuse = (message: string) => pageAnswer(400, errorPage(basePath, message));
  return {
    consentScreen(query) {
      try {
        const { request, error } = readAuthorizationRequest(query, parts.client);
        if (error !== null) return goBack(request, { error });
        const sealed = seal.seal(request);
        const page = consentPage(parts.workspace(), { basePath, clientName, sealed, isOwnFolder });
        return pageAnswer(200, page, [new URL(request.redirectUri).origin, ...onwardOrigins]);
      } catch (error) {
        if (error instanceof UntrustedRequest) return refuse(error.message);
        throw error;
      }
    },

    async submitConsent(form) {
      const request = seal.open(form.get("request") ?? "");
      if (request === null) return refuse("This form has expired, or does not come from this server.");
      if (form.get("decision") !== "allow") return goBack(request, { error: "access_denied" });
      const workspace = parts.workspace();
      const person = workspace.people.find(({ id }) => id === form.get("person"));
      if (person === undefined) return refuse("Choose who you are.");
      const sharedIds = chosenIds(workspace, form.getAll(`pages:${person.id}`));
      const { redirectUri } = request;
      const code = await codes.issue({ personId: person.id, sharedIds, redirectUri });
      const { headers, ...answer } = goBack(request, { code });
      return { ...answer, headers: { ...headers, "set-cookie": readers.issue() } };
    },
  };
}

/** The ids of the chosen pages. Choosing all of them shares future pages too, which often appear at the top level. */
function chosenIds(workspace: Workspace, chosen: readonly string[]): string[] {
  const { listed, rest } = listedPages(workspace);
  const pages = listed.filter(({ id }) => chosen.includes(id));
  const ids = [...pages, ...(chosen.includes(theRest) ? rest : [])].map(({ id }) => id);
  return ids.length > 0 && ids.length === listed.length + rest.length ? [everything] : ids;
}

function goBack(request: AuthorizationRequest, answer: { code: string } | { error: string }): SiteAnswer {
  return redirectAnswer(answerTo(request, answer));
}

/** Top-level pages beyond this number can only be shared together. */
const maxListed = 100;

/** Limits the checkboxes of all people together, so that the form stays below 64 KiB. */
const maxCheckboxes = 700;

/** The value of the checkbox for the pages that are not listed. */
const theRest = "rest";

/** The top-level pages outside the trash: those that the consent screen lists, and the rest. */
function listedPages({ topLevel, people }: Workspace): {
  listed: readonly Entry[];
  rest: readonly Entry[];
} {
  const pages = topLevel.filter(({ inTrash }) => !inTrash);
  const count = Math.min(maxListed, Math.floor(maxCheckboxes / people.length));
  return { listed: pages.slice(0, count), rest: pages.slice(count) };
}

/** Whether a person shares a page or database by default. */
function sharesByDefault({ shares }: Person, { path, title }: Entry): boolean {
  return shares === null || shares.includes(path) || shares.includes(title);
}

interface ConsentPage extends Pick<ConsentParts, "basePath" | "clientName" | "isOwnFolder"> {
  /** The sealed authorization request, which the form sends back. */
  readonly sealed: string;
}

/** The consent screen: of the operator's own folder, or of a folder with people to choose from. */
function consentPage(workspace: Workspace, page: ConsentPage): string {
  const { basePath, clientName, sealed, isOwnFolder } = page;
  const [owner] = workspace.people;
  const isOwners = isOwnFolder && workspace.people === samplePeople && owner !== undefined;
  const { title, notice, heading, choices, allow } = isOwners
    ? ownersWords(workspace, owner, clientName)
    : peoplesWords(workspace, clientName);
  return layout(
    basePath,
    title,
    html`
    <p class="notice">${notice}</p>
    <h1>${heading}</h1>
    <form method="post" action="${basePath}/v1/oauth/authorize">
      <input type="hidden" name="request" value="${sealed}">
      ${choices}
      <p class="small">${clientName} can read these pages and their subpages. It can't change anything. If you share every page, it can also read pages that are added later.</p>
      <p class="actions">
        <button name="decision" value="allow" class="main">${allow}</button>
        <button name="decision" value="cancel">Cancel</button>
      </p>
    </form>`,
  );
}

/** The words and fields of the consent screen of the operator's own folder. There is nobody to choose. */
function ownersWords(workspace: Workspace, owner: Person, clientName: string) {
  return {
    title: `Open ${workspace.name}`,
    notice: `${clientName} reads this folder of Markdown on the machine that it runs on. Anyone who can open this page may read what is shared here.`,
    heading: html`Open <b>${workspace.name}</b>`,
    choices: html`
      <input type="hidden" name="person" value="${owner.id}">
      <fieldset class="pages">
        <legend>Pages that ${clientName} may read</legend>
        ${pageBoxes(workspace, owner)}
      </fieldset>`,
    allow: `Open ${workspace.name}`,
  };
}

function peoplesWords(workspace: Workspace, clientName: string) {
  return {
    title: `Share pages with ${clientName}`,
    notice: `This is ${clientName}'s demo workspace, not Notion. It serves a folder of Markdown from the machine that ${clientName} runs on. Anyone who can open this page may sign in as any of these people.`,
    heading: html`${clientName} would like to read pages of <b>${workspace.name}</b>`,
    choices: html`
      <fieldset>
        <legend>Who are you?</legend>
        ${workspace.people.map((person, index) => personPart(workspace, person, index === 0))}
      </fieldset>`,
    allow: "Allow",
  };
}

function personPart(workspace: Workspace, person: Person, chosen: boolean): Html {
  return html`
        <div class="person">
          <label class="choice">
            <input type="radio" name="person" value="${person.id}"${chosen ? html` checked` : ""}>
            <span>${person.name} <small>${person.email}</small></span>
          </label>
          <fieldset class="pages">
            <legend>Pages that ${person.name} shares</legend>
            ${pageBoxes(workspace, person)}
          </fieldset>
        </div>`;
}

/** The pages that a person may share, those chosen that the person shares by default. */
function pageBoxes(workspace: Workspace, person: Person): Html {
  const { listed, rest } = listedPages(workspace);
  const boxes = listed.map((entry) =>
    box(person, entry.id, sharesByDefault(person, entry), `${iconOf(entry)} ${entry.title || "Untitled"}`),
  );
  const restShared = rest.every((entry) => sharesByDefault(person, entry));
  const more =
    rest.length === 0 ? [] : [box(person, theRest, restShared, `All other pages (${rest.length})`)];
  return html`${[...boxes, ...more]}
            ${listed.length === 0 ? html`<p class="small">The folder has no pages yet.</p>` : ""}`;
}

function box(person: Person, value: string, checked: boolean, label: string): Html {
  return html`
            <label class="choice">
              <input type="checkbox" name="pages:${person.id}" value="${value}"${checked ? html` checked` : ""}>
              <span>${label}</span>
            </label>`;
}

function iconOf({ icon, kind }: Entry): string {
  if (icon !== null && isEmoji(icon)) return icon;
  return kind === "database" ? "🗃️" : "📄";
}

/** A page that explains an error. */
export function errorPage(basePath: string, message: string): string {
  return layout(
    basePath,
    "This request cannot be answered",
    html`
    <h1>This request cannot be answered</h1>
    <p>${message}</p>
    <p class="small">This is a demo workspace, not Notion. Go back and start again.</p>`,
  );
}
