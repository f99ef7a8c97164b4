/** An answer of the pages that people open in a browser. */
export interface SiteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A page without scripts, which loads nothing but its style sheet. Its form may lead to `formTargets` besides. */
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

/** Leads the browser on, from a form as well. */
export function redirectAnswer(location: string): SiteAnswer {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return { status: 303, headers, body: "" };
}
