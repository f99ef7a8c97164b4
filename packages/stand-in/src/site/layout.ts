/** Escaped HTML. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[];

/** A template that escapes its parts, except those that are `Html`. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const inserted = parts.map(render);
  return { html: texts.reduce((whole, text, index) => whole + (inserted[index - 1] ?? "") + text) };
}

function render(part: Part): string {
  if (typeof part === "object") return "html" in part ? part.html : part.map((one) => one.html).join("");
  return String(part)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A complete page of the site. `basePath` is where the site is mounted, without a trailing slash. */
export function layout(basePath: string, title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title}</title>
  <link rel="stylesheet" href="${basePath}/site.css">
  <link rel="icon" href="data:,">
</head>
<body>
  <main>${content}
  </main>
</body>
</html>
`.html;
}

/** A response to a browser. */
export interface SiteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Responds with a page that runs no script and loads only its style sheet. Its form may also redirect to `formTargets`. */
export function pageAnswer(status: number, body: string, formTargets: readonly string[] = []): SiteAnswer {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src data:",
    `form-action ${formTargets.length === 0 ? "'none'" : ["'self'", ...formTargets].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
  return { status, headers, body };
}

/** Redirects a browser, also after a form. */
export function redirectAnswer(location: string): SiteAnswer {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return { status: 303, headers, body: "" };
}

/**
 * The style sheet of the site, light or dark by preference, for windows from 320 pixels. `look` sets the variables of the
 * client's look; without them the colours are the system's.
 */
export const siteStyle = (look: string) =>
  `
${look}
:root {
  color-scheme: light dark;
  --site-line: var(--line, GrayText);
  --site-quiet: var(--quiet, CanvasText);
  --site-accent: var(--thread, LinkText);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  padding: clamp(0.75rem, 5vw, 3rem) 0.75rem;
  background: var(--paper, Canvas);
  color: var(--ink, CanvasText);
  font: 1rem/1.5 var(--font-body, system-ui, sans-serif);
}
main {
  max-width: 34rem;
  margin: 0 auto;
  padding: clamp(1rem, 5vw, 2rem);
  background: var(--surface, Canvas);
  border: 1px solid var(--site-line);
  border-radius: 0.75rem;
  overflow-wrap: anywhere;
}
h1 { margin: 1.5rem 0 1.25rem; font: 600 1.5rem/1.25 var(--font-title, system-ui, sans-serif); letter-spacing: -0.01em; text-wrap: balance; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: 0.5rem; font-weight: 600; }
.notice { margin: 0; padding: 0.6rem 0.8rem; background: var(--warn-soft, Canvas); border-radius: 0.5rem; font-size: 0.925rem; }
.person { border: 1px solid var(--site-line); border-radius: 0.5rem; margin-bottom: 0.6rem; }
.person:has(> .choice input:checked) { border-color: var(--site-accent); }
.person:not(:has(> .choice input:checked)) .pages { display: none; }
.pages { padding: 0.6rem 0.8rem; border-top: 1px solid var(--site-line); max-height: 22rem; overflow: auto; }
.pages legend { float: left; width: 100%; font-size: 0.9rem; font-weight: 500; color: var(--site-quiet); }
.pages .choice { padding: 0.25rem 0; }
.pages .choice:first-of-type { clear: both; }
.choice { display: flex; gap: 0.6rem; align-items: baseline; padding: 0.6rem 0.8rem; cursor: pointer; }
.choice input { accent-color: var(--site-accent); flex: none; }
small { color: var(--site-quiet); display: block; font-size: 0.875rem; }
.small { color: var(--site-quiet); font-size: 0.9rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 1.25rem 0 0; }
button {
  flex: 1 1 8rem;
  min-height: 2.75rem;
  padding: 0 1rem;
  font: inherit;
  font-weight: 500;
  color: var(--ink, CanvasText);
  background: none;
  border: 1px solid var(--edge, GrayText);
  border-radius: 0.5rem;
  cursor: pointer;
}
button.main { background: var(--site-accent); border-color: var(--site-accent); color: var(--on-thread, Canvas); }
a { color: var(--site-accent); }
.page { max-width: 46rem; }
.page h2, .page h3, .page h4 { margin: 1.5rem 0 0.5rem; line-height: 1.3; font-weight: 600; }
.page h2 { font-size: 1.25rem; }
.page h3, .page h4 { font-size: 1.05rem; }
.page pre { padding: 0.8rem; overflow: auto; background: var(--paper, Canvas); border-radius: 0.5rem; }
.page blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--site-line); }
.page table { border-collapse: collapse; display: block; overflow: auto; }
.page th, .page td { padding: 0.3rem 0.6rem; border: 1px solid var(--site-line); text-align: left; }
:focus-visible { outline: 3px solid var(--site-accent); outline-offset: 2px; }
`.trimStart();
