import { inEach, type SharedMigration } from "../migrate.ts";

/** The workspaces of folders (SRC-2): each folder keeps its ids, whatever its name and path become. */
export const folders: SharedMigration = {
  version: 33,
  name: "folders",
  since: "0.1.0",
  kind: "expand",
  rows: {},
  ...inEach(({ text, tableOptions }) => [
    `create table folders (
      workspace_id ${text} not null,
      path ${text} not null,
      slug ${text},
      constraint folders_key primary key (workspace_id),
      constraint folders_path unique (path)
    ) ${tableOptions}`,
  ]),
};
