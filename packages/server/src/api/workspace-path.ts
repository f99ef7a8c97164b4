import { Type } from "typebox";

/** The path parameter of operations on one workspace. */
export const WorkspacePath = Type.Object({
  id: Type.String({ description: "The provider's id of the workspace, as listed by `workspaces/`" }),
});
