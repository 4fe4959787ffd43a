/**
 * A table of names that is asked where they stand in the source. To cut a name out, to put it into lower case and to hash
 * it costs more than all else that is done to a tag, and a page has a thousand of them; so they are compared in place,
 * with the few that have the same length and the same first letter.
 */
export type NameTable<T> = (source: string, start: number, end: number) => T | undefined

interface Entry<T> {
  name: string
  value: T
}

const LONGEST = 40

/** Names are in lower case; those in the source may be in any. */
export function createNameTable<T>(entries: Iterable<readonly [name: string, value: T]>): NameTable<T> {
  const drawers: (Entry<T>[] | undefined)[] = Array.from({ length: (LONGEST + 1) * 32 }, () => undefined)
  for (const [name, value] of entries) {
    const place = drawerOf(name.length, name.charCodeAt(0))
    const drawer = drawers[place] ?? []
    drawer.push({ name, value })
    drawers[place] = drawer
  }
  return (source, start, end) => {
    if (end - start > LONGEST) return undefined
    const drawer = drawers[drawerOf(end - start, source.charCodeAt(start))]
    if (drawer === undefined) return undefined
    for (let i = 0; i < drawer.length; i++) if (isAt(source, start, drawer[i]!.name)) return drawer[i]!.value
    return undefined
  }
}

/** Capitals and small letters differ in a bit that is not looked at. */
function drawerOf(length: number, first: number): number {
  return length * 32 + (first & 31)
}

function isAt(source: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const code = source.charCodeAt(start + i)
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== name.charCodeAt(i)) return false
  }
  return true
}
