/**
 * Every promise that store.ts makes, as a suite that each driver runs: `storeContract('sqlite', open)`. `open` gives an
 * empty store each time, and `again` another handle on the same one, where there can be two; else both are one. What a driver
 * cannot do stands in `skip`, the promise's sentence with the reason. Who only changes some of a driver that keeps them all may hold it to
 * the promises `about` just that.
 */
import { afterAll, describe, expect, it } from 'vitest'
import type { Store } from './index.ts'
import { leadershipPromises, standbyPromises } from './leadership.contract.ts'
import { ownershipPromises, sharingPromises } from './ownership.contract.ts'
import { articlePromises } from './store-articles.contract.ts'
import { dueArticlePromises } from './store-articles-due.contract.ts'
import { datePromises } from './store-dates.contract.ts'
import { duePromises } from './store-due.contract.ts'
import { entryPromises } from './store-entries.contract.ts'
import { feedPromises } from './store-feeds.contract.ts'
import { placingPromises } from './store-grouping.contract.ts'
import { groupPromises } from './store-groups.contract.ts'
import { indexPromises } from './store-index.contract.ts'
import { marketPromises } from './store-market.contract.ts'
import { pollRunPromises } from './store-poll-runs.contract.ts'
import { pollPromises } from './store-polls.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { pushPromises } from './store-pushes.contract.ts'
import { racePromises } from './store-races.contract.ts'
import { markPromises } from './store-read-state.contract.ts'
import { removalPromises } from './store-removal.contract.ts'
import { robotsPromises } from './store-robots.contract.ts'
import { handoutPromises } from './store-sharing.contract.ts'
import { sourcePromises } from './store-sources.contract.ts'
import { statisticsPromises } from './store-statistics.contract.ts'
import { readingPromises } from './store-subscriptions.contract.ts'
import { peoplePromises } from './store-users.contract.ts'
import { visibilityPromises } from './store-visibility.contract.ts'

export interface StoreContractOptions {
  again?: (store: Store) => Promise<Store>
  skip?: Record<string, string>
  /** Names of groups of promises, as below. */
  about?: readonly string[]
}

export function storeContract(
  name: string,
  open: () => Promise<Store>,
  { again = async (store) => store, skip = {}, about }: StoreContractOptions = {},
): void {
  describe(`the ${name} store`, () => {
    const sentences = new Set<string>()
    const promised: Promised = (sentence, hold) => {
      sentences.add(sentence)
      if (skip[sentence]) return it.skip(`${sentence} (${skip[sentence]})`, () => {})
      it(sentence, async () => {
        const store = await open()
        try {
          await hold(store, await again(store))
        } finally {
          await store.close()
        }
      })
    }

    for (const group of about ?? Object.keys(GROUPS)) describe(group, () => GROUPS[group]!(promised))

    afterAll(() => {
      expect(Object.keys(skip).filter((sentence) => !sentences.has(sentence))).toEqual([])
    })
  })
}

const GROUPS: Record<string, (promised: Promised) => void> = {
  'its owner': ownershipPromises,
  'several owners': sharingPromises,
  'what one does for all': leadershipPromises,
  'who waits to do it': standbyPromises,
  feeds: feedPromises,
  'large feeds that are removed': removalPromises,
  sources: sourcePromises,
  'what is due': duePromises,
  'dates that cannot be': datePromises,
  polls: pollPromises,
  'runs of unchanged polls': pollRunPromises,
  'the market': marketPromises,
  entries: entryPromises,
  pushes: pushPromises,
  'robots.txt': robotsPromises,
  'articles that are wanted': dueArticlePromises,
  'articles that were read': articlePromises,
  'the way to the search index': indexPromises,
  'entries on their way to a group': placingPromises,
  'copies and stories': groupPromises,
  people: peoplePromises,
  'what people follow': readingPromises,
  'what people have read and starred': markPromises,
  'what people pass on': handoutPromises,
  'what is counted': statisticsPromises,
  'what users see': visibilityPromises,
  'two at once': racePromises,
}
