/** A value that a person gave to a parameter; several values of one parameter are several of these. */
export interface Given {
  readonly name: string;
  readonly in: string;
  readonly value: string;
}

/**
 * Makes the URL of a request. `clew` is PUBLIC_URL with a trailing slash, `path` has its parameters in braces. Returns null if a
 * value would lead to another path: the URL parser gives `..` and an empty segment a meaning of their own.
 */
export function requestUrl(clew: URL, path: string, given: readonly Given[]): URL | null {
  let isPossible = true;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.find((each) => each.in === "path" && each.name === name)?.value ?? "";
    isPossible &&= !["", ".", ".."].includes(value);
    return encodeURIComponent(value);
  });
  const url = new URL(filled.slice(1), clew);
  for (const { name, value } of given.filter((each) => each.in === "query"))
    url.searchParams.append(name, value);
  return isPossible ? url : null;
}
