import { processorMs } from "../../model/testing/deadlines.ts";

// A thread for queries whose clock is the time for which it has computed: a search ends early because of its work alone.

performance.now = processorMs;
await import("../query-worker.ts");
