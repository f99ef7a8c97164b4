import { serveTextTasks } from "@clew/provider-text";
import { textTasks } from "./text-tasks.ts";

serveTextTasks(textTasks);
