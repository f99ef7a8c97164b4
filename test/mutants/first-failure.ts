import { writeSync } from "node:fs";
import type { TestEvent } from "node:test/reporters";

/** The file descriptor on which a test process says how it ended. Processes that tests start do not have it. */
const verdictDescriptor = 3;

/** A reporter that ends the process with the first test that fails, and says which one on the third descriptor. */
export default async function* firstFailure(events: AsyncIterable<TestEvent>) {
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.todo !== undefined) continue;
    const { error } = data.details;
    const isTimeout = "failureType" in error && error.failureType === "testTimeoutFailure";
    writeSync(verdictDescriptor, `${JSON.stringify({ failed: data.name, file: data.file, isTimeout })}\n`);
    process.exit(1);
  }
  yield "";
}
