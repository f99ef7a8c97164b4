import { workerData } from "node:worker_threads";
import { openReader } from "../store/database.ts";
import { answerCalls, sendNews } from "../threads/thread.ts";
import { IndexTasks } from "./index-tasks.ts";
import type { IndexCall, IndexThreadData } from "./text-index.ts";

// The thread that `TextIndex` starts.

const data = workerData as IndexThreadData;
const database = await openReader(data.location);
const tasks = new IndexTasks(database.read, data, sendNews);

answerCalls((call: IndexCall) => tasks.answer(call), database);
