/** Deep-copies plain data, so that values passed into and out of the store share nothing. */
export function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return value.slice() as T
  const parts = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.fromEntries(parts.map(([name, part]) => [name, copyOf(part)])) as T
}
