import { workerData } from "node:worker_threads";
import type { DatabaseLocation } from "../model/database-location.ts";
import { openReader } from "../store/database.ts";
import { answerCalls } from "../threads/thread.ts";
import { type QueryCall, QueryJobs } from "./query-jobs.ts";

// The thread that `QueryThread` starts. It opens the databases for reading only.

const location = workerData as DatabaseLocation;
const database = await openReader(location);
const jobs = new QueryJobs(database.read, location);

answerCalls((call: QueryCall) => jobs.answer(call), database);
