export { type ErrorCodec, endOf, receivedError, sentError, ThreadError } from "./errors.ts";
export { type LanesOptions, ReadingLanes } from "./reading-lanes.ts";
export { readingLimitMs } from "./reading-limit.ts";
export { answerCalls, answerReadings, askOwner, lowerPriority, sendNews, Thread } from "./thread.ts";
export { atWork, markWorkIn, WorkMark } from "./work-mark.ts";
