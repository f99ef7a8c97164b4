import type { FastifyRequest } from "fastify";
import type { View } from "../notion/view.ts";
import type { Grant } from "../oauth/grant.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What the routes of the API need. */
export interface ApiParts {
  /** Whose token the request presents. */
  grantOf(request: FastifyRequest): Grant;
  /** The workspace as that grant sees it. */
  viewOf(request: FastifyRequest): View;
  /** Looks at the folder again, before a search begins. */
  reload(): Promise<Workspace>;
  /** The most blocks in one answer as Markdown. */
  readonly markdownBlockLimit: number;
  /** The most rows that the pages of one query go through. */
  readonly queryRowLimit: number;
}
