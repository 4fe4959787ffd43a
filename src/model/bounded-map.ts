/** Sets a key in a map limited to `maxSize` keys; the keys set longest ago are dropped. */
export function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, maxSize: number): void {
  map.delete(key) // a Map lists its keys in the order in which they were added
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > maxSize && !oldest.done) map.delete(oldest.value)
}
