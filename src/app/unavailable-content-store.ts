/**
 * Stands in for a content store that could not be reached when a store was opened for reading. Commands that need no texts, such as
 * `freshet status`, still work; everything that reads a text fails with the reason.
 */
import type { ContentStore, StoreError } from '../ports/index.ts'

export function unavailableContentStore(why: StoreError): ContentStore {
  const refuse = () => Promise.reject(why)
  // biome-ignore lint/correctness/useYield: it always throws
  async function* refuseWalk(): AsyncIterable<never> {
    throw why
  }
  return {
    putTexts: refuse,
    getTexts: refuse,
    textsOfHour: refuseWalk,
    dropTexts: refuse,
    putEntries: refuse,
    removeEntries: refuse,
    getEntries: refuse,
    listEntries: refuse,
    putSignatures: refuse,
    getSignatures: refuse,
    findSimilar: refuse,
    putCopies: refuse,
    listCopies: refuse,
    putPolls: refuse,
    listPolls: refuse,
    health: async () => ({ summary: why.message, isHealthy: false }),
    close: async () => {},
  }
}
