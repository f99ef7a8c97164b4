/** All that crosses Clew's wire, each message written once as a JSON Schema from which its type is inferred. */
export * from "./audit.ts";
export * from "./changes.ts";
export * from "./door.ts";
export * from "./graph.ts";
export * from "./health.ts";
export * from "./problem.ts";
export * from "./registration.ts";
export * from "./schema.ts";
export * from "./service-token.ts";
export * from "./session.ts";
export * from "./session-hint.ts";
export * from "./sign-in-error.ts";
export * from "./sync-event.ts";
export * from "./sync-report.ts";
export * from "./tools.ts";
export * from "./user.ts";
export * from "./workspace.ts";
