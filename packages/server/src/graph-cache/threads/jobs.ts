import { contextJob } from "./context/context-job.ts";
import { mapJob } from "./map-job.ts";
import { outlineJob } from "./outline-job.ts";
import { rowsJob } from "./rows-job.ts";
import { textJob } from "./text-job.ts";

/** What runs in query threads: functions of the sources and an input. Inputs and results are plain data. */
export const jobs = { text: textJob, context: contextJob, outline: outlineJob, map: mapJob, rows: rowsJob };

type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type JobInput<Name extends JobName> = Parameters<Jobs[Name]>[2];
export type JobResult<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>;
