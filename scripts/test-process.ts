import hooks from "node:async_hooks";

// The processes that run tests load this first.

// node:test follows every promise to the test that made it, to know which test an error belongs to that is thrown outside of all: up to a
// quarter of the processor time. Without it such an error fails the process instead, and with it the run
// (docs/decisions/0051-untracked-promises.md).
const { createHook } = hooks;
hooks.createHook = ({ init = () => {} }) => createHook({ init, trackPromises: false });
await import("node:test");
hooks.createHook = createHook;

/** A stream to a pipe, with its handle, which Node does not document. */
interface PipeStream {
  readonly _handle?: { setBlocking?(isBlocking: boolean): void };
}

// A process exits once its tests have ended. Results that the runner has not read by then would be lost, a third of them on a busy
// machine: https://nodejs.org/api/process.html#a-note-on-process-io
(process.stdout as PipeStream)._handle?.setBlocking?.(true);
