import { type Static, Type } from "typebox";
import { named } from "./schema.ts";

/** `GET /healthz` and `GET /readyz` (OPS-2). */
export const Health = named("Health", Type.Object({ status: Type.Literal("ok") }));
export type Health = Static<typeof Health>;

/** The milliseconds between the two events of `GET /healthz/stream`, by which `clew doctor` sees a proxy that buffers. */
export const streamProbeGapMs = 500;
