export { type GeneratedFile, generateWorkspace } from "./generate-workspace.ts";
export type { WorkspaceShape } from "./shape.ts";
export { writeWorkspace } from "./write-workspace.ts";
