/** The parameters in the URL of the path finder. */
export interface PathSearch {
  readonly from?: string;
  readonly to?: string;
  /** Whether links are followed forwards only. */
  readonly direction?: "out";
  readonly several?: true;
  /** Whether paths may go through hubs: pages with very many links. */
  readonly hubs?: true;
}

/** The number of paths for a person who asks for several. */
export const severalPaths = 5;

/** Reads the URL's parameters; invalid ones are left out. */
export function readPathSearch(raw: Readonly<Record<string, unknown>>): PathSearch {
  const { from, to, direction, several, hubs } = raw;
  return {
    ...(typeof from === "string" && from !== "" ? { from } : {}),
    ...(typeof to === "string" && to !== "" ? { to } : {}),
    ...(direction === "out" ? { direction } : {}),
    ...(several === true ? { several } : {}),
    ...(hubs === true ? { hubs } : {}),
  };
}
