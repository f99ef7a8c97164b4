/** As much of a browser as a sign-in needs: cookies, redirects and one form. */
export interface Browser {
  /** Follows redirects until an answer is none, or leads to a fragment, which no server ever sees. */
  open(url: URL, form?: URLSearchParams): Promise<Page>;
}

/** Where a browser ended up. */
export interface Page {
  readonly url: URL;
  readonly html: string;
}

const redirects = 10;

export function createBrowser(): Browser {
  /** Cookies of each origin. */
  const jar = new Map<string, Map<string, string>>();

  async function request(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const cookies = jar.get(url.origin) ?? new Map<string, string>();
    jar.set(url.origin, cookies);
    const response = await fetch(url, {
      method: form ? "POST" : "GET",
      body: form ?? null,
      redirect: "manual",
      // A form's origin is what tells a server that the form is its own.
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form ? { origin: url.origin } : {}),
      },
    });
    for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie);
    return response;
  }

  return {
    async open(start, form) {
      let url = start;
      let body = form;
      for (let step = 0; step < redirects; step += 1) {
        const response = await request(url, body);
        const location = response.headers.get("location");
        if (location === null) {
          if (!response.ok) throw new Error(`${url.origin}${url.pathname} answered ${response.status}`);
          return { url, html: await response.text() };
        }
        await response.body?.cancel();
        url = new URL(location, url);
        body = undefined;
        if (url.hash !== "") return { url, html: "" };
      }
      throw new Error(`More than ${redirects} redirects from ${start.origin}${start.pathname}`);
    },
  };
}

function keep(cookies: Map<string, string>, setCookie: string): void {
  const [pair = "", ...attributes] = setCookie.split(";");
  const separator = pair.indexOf("=");
  const name = pair.slice(0, separator).trim();
  const gone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
  if (gone) cookies.delete(name);
  else cookies.set(name, pair.slice(separator + 1).trim());
}
