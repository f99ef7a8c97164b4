/** Keeps what was computed last: at most `size` results, the least recently used go first. */
export function createCache<K, V>(size: number, compute: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>();
  return (key) => {
    const known = results.get(key);
    const value = known ?? compute(key);
    results.delete(key);
    results.set(key, value);
    const oldest = results.keys().next();
    if (results.size > size && oldest.done !== true) results.delete(oldest.value);
    return value;
  };
}
