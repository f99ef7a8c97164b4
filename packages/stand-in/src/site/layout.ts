import { type Html, html } from "./html.ts";

/** A whole page of the site. `basePath` is where the site is mounted, without a slash at its end. */
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
