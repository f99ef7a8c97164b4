import { answerCalls } from "@clew/threads";
import { readGraphRows } from "../store/choose-backend.ts";
import { errorsOf } from "../threads/errors.ts";
import { type BuildOrder, columnsOf, type StoredColumns } from "./builder.ts";

// A thread that builds a graph in memory that threads share. `GraphBuilder` ends it after a large graph, or when it is idle.

answerCalls<BuildOrder, StoredColumns>(
  ({ location, connectionId, earlier }) =>
    readGraphRows(location, connectionId, (rows) => columnsOf(rows, earlier?.columns), {
      since: earlier?.version,
    }),
  errorsOf(),
);
