const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]} seconds in each unit, largest first */
const units = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/**
 * A relative time such as "2 hours ago", with the exact time on hover.
 * @param {string} timestamp RFC 3339
 */
export function timeElement(timestamp) {
  const made = document.createElement("time");
  made.dateTime = timestamp;
  made.title = new Date(timestamp).toLocaleString();
  tell(made);
  return made;
}

/**
 * The time of day, rounded up to whole minutes.
 * @param {string} timestamp RFC 3339
 */
export function clockTime(timestamp) {
  const minute = Math.ceil(Date.parse(timestamp) / 60_000) * 60_000;
  return new Date(minute).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

// Keeps relative times on the page current.
setInterval(() => document.querySelectorAll("time").forEach(tell), 30_000);

/** @param {HTMLTimeElement} time */
function tell(time) {
  time.textContent = describe((Date.parse(time.dateTime) - Date.now()) / 1000);
}

/** @param {number} seconds from now, negative in the past */
function describe(seconds) {
  for (const [unit, length] of units) {
    // A token created for 30 days must not show 29 a moment later.
    const amount = seconds > 0 ? Math.ceil(seconds / length) : Math.trunc(seconds / length);
    if (Math.abs(seconds) >= length) return relative.format(amount, unit);
  }
  return seconds > 0 ? "in a moment" : "just now";
}
