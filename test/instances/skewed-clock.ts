// Loaded before Clew: its machine's clock is off by CLOCK_SKEW milliseconds.
const { now } = Date;
const skew = Number(process.env.CLOCK_SKEW);
Date.now = () => now() + skew;
