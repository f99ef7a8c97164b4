import { type LinkKind, linkKinds } from "../../../api/link-kinds.ts";

/** The parameters in the URL of a page. */
export interface PageSearch {
  /** The start in the text, in code points. */
  readonly at?: number;
  readonly view?: "graph";
  /** Of the local graph. */
  readonly depth?: 1 | 2;
  readonly kinds?: string;
  /** Of a database's rows. */
  readonly where?: readonly string[];
  readonly sort?: string;
  readonly order?: "asc" | "desc";
}

/** Reads the URL's parameters; invalid ones are left out. */
export function readPageSearch(raw: Readonly<Record<string, unknown>>): PageSearch {
  const where = [raw.where].flat().filter((each) => typeof each === "string" && each !== "") as string[];
  const kinds = kindsOf({ kinds: typeof raw.kinds === "string" ? raw.kinds : undefined });
  const isWhole = Number.isSafeInteger(raw.at) && Number(raw.at) > 0;
  return {
    ...(isWhole ? { at: Number(raw.at) } : {}),
    ...(raw.view === "graph" ? { view: "graph" as const } : {}),
    ...(raw.depth === 1 || raw.depth === 2 ? { depth: raw.depth } : {}),
    ...(kinds.length === linkKinds.length ? {} : { kinds: kinds.join(",") }),
    ...(where.length === 0 ? {} : { where }),
    ...(typeof raw.sort === "string" && raw.sort !== "" ? { sort: raw.sort } : {}),
    ...(raw.order === "asc" || raw.order === "desc" ? { order: raw.order } : {}),
  };
}

/** The kinds of links that the local graph shows; all by default. */
export function kindsOf({ kinds }: { readonly kinds?: string | undefined }): readonly LinkKind[] {
  const named = kinds?.split(",");
  return named === undefined ? linkKinds : linkKinds.filter((kind) => named.includes(kind));
}
