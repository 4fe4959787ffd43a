/**
 * Assigns elements to the fields they may provide, preferred ones first. Done once for all fields, so that reading a field only looks
 * at its own elements, and most fields have none.
 */
import type { XmlElement } from '../xml/element.ts'

/** For each field, the keys of elements that may provide it, preferred ones first. */
export type FieldTable<Name extends string> = Readonly<Record<Name, readonly string[]>>

export type Fields<Name extends string> = Record<Name, readonly XmlElement[]>

export interface SortedFields<Name extends string> {
  fields: Fields<Name>
  /** The fields that have elements. */
  present: Name[]
}

export type FieldSorter<Name extends string> = (elements: readonly XmlElement[]) => SortedFields<Name>

/** `lists`: fields that use all their elements, in document order. */
export function createFieldSorter<Name extends string>(
  table: FieldTable<Name>,
  lists: readonly NoInfer<Name>[],
): FieldSorter<Name> {
  const names = Object.keys(table) as Name[]
  const ranks = Object.fromEntries(
    names.map((name) => [name, ranksOf(lists.includes(name) ? [] : table[name])]),
  ) as Record<Name, Map<string, number>>
  const rankOf = (name: Name, key: string) => ranks[name].get(key) ?? 0
  const usesOf = new Map<string, { name: Name; rank: number }[]>()
  for (const name of names) {
    for (const key of table[name]) {
      const uses = usesOf.get(key) ?? []
      usesOf.set(key, [...uses, { name, rank: rankOf(name, key) }])
    }
  }
  const nothing = Object.fromEntries(names.map((name) => [name, NO_FIELDS])) as Record<Name, XmlElement[]>

  return (elements) => {
    const fields = { ...nothing }
    const names: Name[] = []
    let unsorted: Set<Name> | undefined
    for (let index = 0; index < elements.length; index++) {
      const element = elements[index]!
      const uses = usesOf.get(element.key)
      if (uses === undefined) continue
      for (let use = 0; use < uses.length; use++) {
        const { name, rank } = uses[use]!
        const current = fields[name]
        if (current === NO_FIELDS) {
          fields[name] = [element]
          names.push(name)
          continue
        }
        const last = current[current.length - 1]!
        current.push(element)
        if (last.key !== element.key && rankOf(name, last.key) > rank) unsorted = (unsorted ?? new Set()).add(name)
      }
    }
    if (unsorted) for (const name of unsorted) fields[name].sort((a, b) => rankOf(name, a.key) - rankOf(name, b.key))
    return { fields, present: names }
  }
}

function ranksOf(keys: readonly string[]): Map<string, number> {
  return new Map(keys.map((key, rank) => [key, rank]))
}

/** Shared by all fields without elements; never modified. */
const NO_FIELDS: XmlElement[] = []
