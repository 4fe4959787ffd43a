/** A library that forgets everything with the process: the shortest reading of its contract, for tests and the lab. */
import { HOUR, type Instant } from '../../model/index.ts'
import type { Library, LibraryText, TextName } from '../../ports/index.ts'
import { createMemoryStacks } from './library-stacks.ts'

export function createMemoryLibrary(): Library {
  const texts = new Map<TextName, LibraryText>()
  return {
    ...createMemoryStacks(),

    async keep(kept) {
      for (const text of kept) {
        const at = Math.max(text.at, texts.get(text.name)?.at ?? text.at) as Instant
        texts.set(text.name, { ...text, at, bytes: text.bytes.slice() })
      }
    },

    async textsOf(names) {
      return names.map((name) => texts.get(name)?.bytes.slice())
    },

    async *keptIn(hour) {
      for (const { bytes: _, ...shelved } of [...texts.values()]) {
        if (shelved.at >= hour && shelved.at < hour + HOUR) yield shelved
      }
    },

    async drop(dropped) {
      for (const { name, at } of dropped) if ((texts.get(name)?.at ?? at) <= at) texts.delete(name)
    },

    async health() {
      return { summary: `in memory, ${texts.size} texts`, isWell: true }
    },

    async close() {},
  }
}
