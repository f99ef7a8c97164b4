const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]} seconds in each unit, largest first */
const units = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/**
 * A time as people say it, with the exact one on hover.
 * @param {string} timestamp RFC 3339
 */
export function timeElement(timestamp) {
  const made = document.createElement("time");
  made.dateTime = timestamp;
  made.title = new Date(timestamp).toLocaleString();
  made.textContent = describe((Date.parse(timestamp) - Date.now()) / 1000);
  return made;
}

/** @param {number} seconds from now, negative in the past */
function describe(seconds) {
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 0 ? "in a moment" : "just now";
}
