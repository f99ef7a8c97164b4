import { checks, proofs, runChecks } from "./checks.ts";

// Runs every check of the source, as `npm test` does.
const { passed, failed } = runChecks([...checks, ...proofs]);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
