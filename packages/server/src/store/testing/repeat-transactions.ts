import { testSwitches } from "../wrappers/assemble.ts";

/*
 * Imported by what opens databases for tests: from then on every transaction of the process runs its work twice, the first run
 * undone. So each test proves that the transactions it causes are repeatable, as store/port.ts asks.
 */
testSwitches.repeatTransactions = true;
