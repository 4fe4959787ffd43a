/** Plain data, copied through and through: what goes into the store and what comes out of it share nothing. */
export function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return value.slice() as T
  const copy: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) if (part !== undefined) copy[name] = copyOf(part)
  return copy as T
}
