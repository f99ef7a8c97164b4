/**
 * The dashboard's address with values in its fragment, which browsers send to no server.
 * A space is written as `%20`, so that readers of forms and of plain percent-encoding both get it back.
 */
export function dashboardUrlWith(dashboardUrl: URL, values: Readonly<Record<string, string>>): string {
  const url = new URL(dashboardUrl);
  url.hash = new URLSearchParams(values).toString().replaceAll("+", "%20");
  return url.href;
}
