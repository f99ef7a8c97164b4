/** The current time in milliseconds since the Unix epoch. An argument everywhere, so that tests own time. */
export type Clock = () => number;
