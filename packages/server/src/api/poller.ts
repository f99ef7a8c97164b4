/** Receives the status at each poll; null if it can no longer be read. Never rejects. */
type Listener<Status> = (status: Status | null) => Promise<void>;

interface PollerServices<Status> {
  /** Reads the current status of what has this number; null if that is gone. */
  readonly read: (id: number) => Promise<Status | null>;
  /** Receives the error of a failed poll, which ends all listeners. */
  readonly onError: (error: unknown) => void;
}

const pollIntervalMs = 500;

/** Polls the status of each thing that has listeners, once for all of them. */
export function createPoller<Status>({ read, onError }: PollerServices<Status>) {
  const polled = new Map<
    number,
    { readonly listeners: Set<Listener<Status>>; readonly timer: NodeJS.Timeout }
  >();

  function begin(id: number) {
    const listeners = new Set<Listener<Status>>();
    let isPolling = false;
    const poll = async () => {
      if (isPolling) return;
      isPolling = true;
      const status = await read(id).catch((error) => {
        onError(error);
        return null;
      });
      await Promise.all([...listeners].map((listener) => listener(status)));
      isPolling = false;
    };
    const poller = { listeners, timer: setInterval(() => void poll(), pollIntervalMs).unref() };
    polled.set(id, poller);
    return poller;
  }

  return {
    /** Calls the listener about twice a second, until the returned function is called. */
    listen(id: number, listener: Listener<Status>): () => void {
      const { listeners, timer } = polled.get(id) ?? begin(id);
      listeners.add(listener);
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        clearInterval(timer);
        polled.delete(id);
      };
    },
  };
}
