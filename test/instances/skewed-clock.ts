import { readFileSync } from "node:fs";

// Loaded before Clew, in each of its threads: its machine's clock is off by the milliseconds in the file CLOCK_SKEW_FILE, which may change.
const file = process.env.CLOCK_SKEW_FILE ?? "";
const rereadMs = 50;
const { now } = Date;
let skew = 0;
let readAt = Number.NEGATIVE_INFINITY;
Date.now = () => {
  const uptime = performance.now();
  if (uptime - readAt > rereadMs) {
    skew = Number(readFileSync(file, "utf8"));
    readAt = uptime;
  }
  return now() + skew;
};
