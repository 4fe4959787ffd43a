/** In-memory content store: the shortest implementation of the contract, for tests and the lab. */
import { HOUR, type Instant } from '../../model/index.ts'
import type { ContentAddress, ContentStore, ContentText } from '../../ports/index.ts'
import { createMemoryContentRecords } from './content-records.ts'

export function createMemoryContentStore(): ContentStore {
  const texts = new Map<ContentAddress, ContentText>()
  return {
    ...createMemoryContentRecords(),

    async putTexts(records) {
      for (const text of records) {
        const at = Math.max(text.at, texts.get(text.address)?.at ?? text.at) as Instant
        texts.set(text.address, { ...text, at, bytes: text.bytes.slice() })
      }
    },

    async getTexts(names) {
      return names.map((name) => texts.get(name)?.bytes.slice())
    },

    async *textsOfHour(hour) {
      for (const { bytes: _, ...metadata } of [...texts.values()]) {
        if (metadata.at >= hour && metadata.at < hour + HOUR) yield metadata
      }
    },

    async dropTexts(addresses) {
      for (const { address, at } of addresses) if ((texts.get(address)?.at ?? at) <= at) texts.delete(address)
    },

    async health() {
      return { summary: `in memory, ${texts.size} texts`, isHealthy: true }
    },

    async close() {},
  }
}
