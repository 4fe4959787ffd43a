/**
 * A table of names looked up in place in the source text. Slicing, lowercasing and hashing a name would cost more than all other work on
 * a tag, and a page has a thousand tags; so names are compared in place, within a bucket of the same length and first letter.
 */
export type NameTable<T> = (source: string, start: number, end: number) => T | undefined

interface Entry<T> {
  name: string
  value: T
}

const MAX_LENGTH = 40

/** Names are in lower case; those in the source may have any case. */
export function createNameTable<T>(entries: Iterable<readonly [name: string, value: T]>): NameTable<T> {
  const buckets: (Entry<T>[] | undefined)[] = Array.from({ length: (MAX_LENGTH + 1) * 32 }, () => undefined)
  for (const [name, value] of entries) {
    const bucketIndex = bucketOf(name.length, name.charCodeAt(0))
    const bucket = buckets[bucketIndex] ?? []
    bucket.push({ name, value })
    buckets[bucketIndex] = bucket
  }
  return (source, start, end) => {
    if (end - start > MAX_LENGTH) return undefined
    const drawer = buckets[bucketOf(end - start, source.charCodeAt(start))]
    if (drawer === undefined) return undefined
    for (let i = 0; i < drawer.length; i++) if (isAt(source, start, drawer[i]!.name)) return drawer[i]!.value
    return undefined
  }
}

/** Ignores the bit that distinguishes upper and lower case. */
function bucketOf(length: number, first: number): number {
  return length * 32 + (first & 31)
}

function isAt(source: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const code = source.charCodeAt(start + i)
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== name.charCodeAt(i)) return false
  }
  return true
}
