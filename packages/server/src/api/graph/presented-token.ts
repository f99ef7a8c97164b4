import { closed, PresentedToken, Problem, presentedTokenOperation, ref } from "@clew/contract";
import { requireServiceToken } from "../../auth/gate.ts";
import type { App } from "../../http/server.ts";
import { presentPresentedToken } from "../../present/presented-token.ts";
import { accessThrough } from "./audience.ts";

/** `GET /api/v1/token/`: what the presented service token is (GRAPH-14). */
export function presentedTokenRoute(app: App): void {
  const { path, summary } = presentedTokenOperation;
  app.get(
    path,
    {
      config: { access: accessThrough("v1", presentedTokenOperation) },
      schema: {
        summary,
        querystring: closed({}),
        response: { 200: ref(PresentedToken), default: ref(Problem) },
      },
    },
    async (request) => presentPresentedToken(requireServiceToken(request)),
  );
}
