import type { Entry } from "../workspace/entry.ts";
import { isEmoji } from "../workspace/icon.ts";
import type { Person } from "../workspace/people.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";

/** Of a workspace with more pages at its top, the rest is shared or kept as one. */
const mostListed = 100;

/** Boxes of one form: a browser sends everybody's, and a server need not take more than 64 KiB. */
const mostBoxes = 700;

/** The value of the box that stands for the pages that are not listed. */
export const theRest = "rest";

/** The pages at the top of a workspace, as the consent screen lists them: none that lie in the trash. */
export function listedPages({ topLevel, people }: Workspace): {
  listed: readonly Entry[];
  rest: readonly Entry[];
} {
  const pages = topLevel.filter(({ inTrash }) => !inTrash);
  const count = Math.min(mostListed, Math.floor(mostBoxes / people.length));
  return { listed: pages.slice(0, count), rest: pages.slice(count) };
}

/** Whether a person shares an entry unless they choose otherwise. */
function sharesByDefault({ shares }: Person, { path, title }: Entry): boolean {
  return shares === null || shares.includes(path) || shares.includes(title);
}

/** The screen that asks a person what to share. `sealed` is the request, to be sent back with the answer. */
export function consentPage(
  workspace: Workspace,
  { basePath, clientName, sealed }: { basePath: string; clientName: string; sealed: string },
): string {
  return layout(
    basePath,
    `Share pages with ${clientName}`,
    html`
    <p class="notice">This is ${clientName}'s demo workspace, not Notion. It serves a folder of Markdown from the
      machine that ${clientName} runs on. Anybody who can open this page may choose any of these people.</p>
    <h1>${clientName} would like to read pages of <b>${workspace.name}</b></h1>
    <form method="post" action="${basePath}/v1/oauth/authorize">
      <input type="hidden" name="request" value="${sealed}">
      <fieldset>
        <legend>Who are you?</legend>
        ${workspace.people.map((person, index) => personPart(workspace, person, index === 0))}
      </fieldset>
      <p class="small">${clientName} can read what you share, with all that lies below it, and change nothing.
        If you share every page, it can read those that are made later, too.</p>
      <p class="actions">
        <button name="decision" value="allow" class="main">Allow</button>
        <button name="decision" value="cancel">Cancel</button>
      </p>
    </form>`,
  );
}

function personPart(workspace: Workspace, person: Person, chosen: boolean): Html {
  const { listed, rest } = listedPages(workspace);
  const boxes = listed.map((entry) =>
    box(person, entry.id, sharesByDefault(person, entry), `${iconOf(entry)} ${entry.title || "Untitled"}`),
  );
  const restShared = rest.every((entry) => sharesByDefault(person, entry));
  const more =
    rest.length === 0 ? [] : [box(person, theRest, restShared, `All other pages (${rest.length})`)];
  return html`
        <div class="person">
          <label class="choice">
            <input type="radio" name="person" value="${person.id}"${chosen ? html` checked` : ""}>
            <span>${person.name} <small>${person.email}</small></span>
          </label>
          <fieldset class="pages">
            <legend>Pages that ${person.name} shares</legend>
            ${[...boxes, ...more]}
            ${listed.length === 0 ? html`<p class="small">The folder holds no pages yet.</p>` : ""}
          </fieldset>
        </div>`;
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

/** A page that says why there is nothing to decide. */
export function faultPage(basePath: string, message: string): string {
  return layout(
    basePath,
    "Nothing to decide",
    html`
    <h1>This request cannot be answered</h1>
    <p>${message}</p>
    <p class="small">This is a demo workspace, not Notion. Go back to where you came from and begin
      again.</p>`,
  );
}
