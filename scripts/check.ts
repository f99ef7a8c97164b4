import { runChecks } from "./checks.ts";

// Runs every check of the source, as `npm test` does before the tests.
const { passed, failed } = runChecks();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
