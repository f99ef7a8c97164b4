/** The choices at the consent screen. */
export interface ConsentChoice {
  /** The name of the person; the first one by default. */
  readonly person?: string;
  /** Titles of the pages to share; those that are preselected by default. */
  readonly pages?: readonly string[];
  readonly decision?: "allow" | "cancel";
}

/** Submits the consent screen as a browser would, and returns the address that it redirects to. */
export async function giveConsent(authorizationUrl: string, choice?: ConsentChoice): Promise<string> {
  return (await answerConsent(authorizationUrl, choice)).location;
}

/** The response to the consent screen. */
export interface ConsentAnswer {
  /** The address that it redirects to. */
  readonly location: string;
  /** The `Set-Cookie` header that lets the browser read pages; null if the person did not consent. */
  readonly setCookie: string | null;
}

/** Submits the consent screen as a browser would. */
export async function answerConsent(
  authorizationUrl: string,
  choice: ConsentChoice = {},
): Promise<ConsentAnswer> {
  const page = await fetch(authorizationUrl, { redirect: "manual" });
  const refused = page.headers.get("location");
  if (refused !== null) return { location: refused, setCookie: null };
  if (!page.ok) throw new Error(`the consent screen failed with status ${page.status}`);
  const html = await page.text();
  const inputs = readInputs(html);
  const form = new URLSearchParams();
  for (const { name, value } of inputs.filter(({ type }) => type === "hidden")) form.append(name, value);
  const person =
    inputs.find(
      ({ type, label, checked }) =>
        type === "radio" && (choice.person === undefined ? checked : label.startsWith(choice.person)),
    ) ?? (choice.person === undefined ? inputs.find(({ name }) => name === "person") : undefined);
  if (person === undefined) throw new Error(`the consent screen has no person named ${choice.person}`);
  if (person.type === "radio") form.append("person", person.value);
  const boxes = inputs.filter(({ name }) => name === `pages:${person.value}`);
  for (const { name, value, label, checked } of boxes) {
    const wanted = choice.pages?.includes(label.slice(label.indexOf(" ") + 1)) ?? checked;
    if (wanted) form.append(name, value);
  }
  form.append("decision", choice.decision ?? "allow");
  const answer = await fetch(
    new URL(/<form method="post" action="([^"]*)"/.exec(html)?.[1] ?? "", authorizationUrl),
    {
      method: "POST",
      body: form,
      redirect: "manual",
    },
  );
  const location = answer.headers.get("location");
  if (location === null) throw new Error(`the consent screen failed with status ${answer.status}`);
  return { location, setCookie: answer.headers.get("set-cookie") };
}

interface Input {
  readonly type: string;
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
  readonly label: string;
}

function readInputs(html: string): Input[] {
  return [...html.matchAll(/<input ([^>]*)>(?:\s*<span>(.*?)<\/span>)?/gs)].map(
    ([, attributes = "", label = ""]) => {
      const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
      return {
        type: attribute("type"),
        name: attribute("name"),
        value: attribute("value"),
        checked: / checked/.test(attributes),
        label: plainText(label.replace(/<[^>]*>/g, "")).trim(),
      };
    },
  );
}

function plainText(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
