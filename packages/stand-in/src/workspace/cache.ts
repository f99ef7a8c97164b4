/**
 * Keeps what was computed last: at most `size` results. Those that were not asked for go by halves, which costs nothing
 * where one map in the order of use would have to find its oldest entry again and again.
 */
export function createCache<K, V>(size: number, compute: (key: K) => V): (key: K) => V {
  let recent = new Map<K, V>();
  let older = new Map<K, V>();
  return (key) => {
    const value = recent.get(key) ?? older.get(key) ?? compute(key);
    if (recent.size >= size / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(key, value);
    return value;
  };
}
