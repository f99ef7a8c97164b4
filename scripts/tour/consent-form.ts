import type { Browser, Page } from "./browser.ts";

/** What a visitor of the demo's consent screen chooses; what is left out stays as the screen proposes it. */
export interface Consent {
  /** Name of the person to sign in as. */
  readonly person?: string;
  /** Titles of the top-level pages to share. */
  readonly share?: readonly string[];
}

interface Choice {
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
  /** The text that a person reads beside it. */
  readonly label: string;
}

/** Presses Allow on the consent screen, and returns where that leads. */
export async function allow(browser: Browser, screen: Page, { person, share }: Consent): Promise<Page> {
  const form = new URLSearchParams({ request: attribute(screen.html, /name="request" value="([^"]*)"/) });
  const people = choices(screen.html, "radio");
  const chosen = people.find(({ label, checked }) =>
    person === undefined ? checked : label.startsWith(person),
  );
  if (!chosen) throw new Error(`The consent screen knows no ${person ?? "person"}.`);
  form.set("person", chosen.value);
  for (const { name, value, checked, label } of choices(screen.html, "checkbox")) {
    const shared = share ? share.some((title) => label.endsWith(title)) : checked;
    if (shared && name === `pages:${chosen.value}`) form.append(name, value);
  }
  form.set("decision", "allow");
  return browser.open(
    new URL(attribute(screen.html, /<form method="post" action="([^"]*)"/), screen.url),
    form,
  );
}

function choices(html: string, type: "radio" | "checkbox"): Choice[] {
  const input = new RegExp(
    `<input type="${type}" name="([^"]*)" value="([^"]*)"( checked)?>\\s*<span>(.*?)</span>`,
    "gs",
  );
  return [...html.matchAll(input)].map(([, name = "", value = "", checked, label = ""]) => ({
    name: readEntities(name),
    value: readEntities(value),
    checked: checked !== undefined,
    label: readEntities(label.replaceAll(/<[^>]*>/g, "")).trim(),
  }));
}

function attribute(html: string, pattern: RegExp): string {
  const value = pattern.exec(html)?.[1];
  if (value === undefined) throw new Error("This is not the demo workspace's consent screen.");
  return readEntities(value);
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

function readEntities(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole);
}
