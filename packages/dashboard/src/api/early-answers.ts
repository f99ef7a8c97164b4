/**
 * Sends requests while the application is still being loaded. Returns a `fetch` that hands each of their answers out once,
 * and sends everything else.
 */
export function withEarlyAnswers(send: typeof fetch, urls: readonly URL[]): typeof fetch {
  const early = new Map(
    urls.map((url) => [url.href, send(url, { headers: { accept: "application/json" } })]),
  );
  // A failure is for the request that takes the answer.
  for (const answer of early.values()) answer.catch(() => {});
  return (input, init) => {
    const key = input instanceof Request ? input.url : String(input);
    const answer = (init?.method ?? "GET") === "GET" ? early.get(key) : undefined;
    early.delete(key);
    return answer ?? send(input, init);
  };
}
