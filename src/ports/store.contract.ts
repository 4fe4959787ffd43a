/**
 * The contract of store.ts as a test suite for every driver: `storeContract('sqlite', open)`. `open` returns an empty store. `again`
 * returns a second handle on the same store; by default, it returns the store itself. `skip` lists tests that do not apply to a driver, by
 * title, with the reason. `about` limits the suite to some groups, for wrappers that change only part of a driver.
 */
import { afterAll, describe, expect, it } from 'vitest'
import type { Store } from './index.ts'
import { leadershipPromises, standbyPromises } from './leadership.contract.ts'
import { ownershipPromises, sharedOwnershipPromises } from './ownership.contract.ts'
import { articlePromises } from './store-articles.contract.ts'
import { dueArticlePromises } from './store-articles-due.contract.ts'
import { datePromises } from './store-dates.contract.ts'
import { duePromises } from './store-due.contract.ts'
import { entryPromises } from './store-entries.contract.ts'
import { entryLabelPromises } from './store-entry-labels.contract.ts'
import { feedPromises } from './store-feeds.contract.ts'
import { groupingPromises } from './store-grouping.contract.ts'
import { groupPromises } from './store-groups.contract.ts'
import { hubSubscriptionPromises } from './store-hub-subscriptions.contract.ts'
import { indexPromises } from './store-index.contract.ts'
import { marketPromises } from './store-market.contract.ts'
import { pollRunPromises } from './store-poll-runs.contract.ts'
import { pollPromises } from './store-polls.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { racePromises } from './store-races.contract.ts'
import { readStatePromises } from './store-read-state.contract.ts'
import { removalPromises } from './store-removal.contract.ts'
import { robotsPromises } from './store-robots.contract.ts'
import { sharingPromises } from './store-sharing.contract.ts'
import { sourcePromises } from './store-sources.contract.ts'
import { statisticsPromises } from './store-statistics.contract.ts'
import { subscriptionPromises } from './store-subscriptions.contract.ts'
import { userValuePromises } from './store-user-values.contract.ts'
import { userPromises } from './store-users.contract.ts'
import { visibilityPromises } from './store-visibility.contract.ts'

export interface StoreContractOptions {
  again?: (store: Store) => Promise<Store>
  skip?: Record<string, string>
  /** Names of groups, as below. */
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
  'single owner': ownershipPromises,
  'several owners': sharedOwnershipPromises,
  leadership: leadershipPromises,
  'standby leaders': standbyPromises,
  feeds: feedPromises,
  'removal of large feeds': removalPromises,
  sources: sourcePromises,
  'due items': duePromises,
  'impossible dates': datePromises,
  polls: pollPromises,
  'runs of unchanged polls': pollRunPromises,
  'the market': marketPromises,
  entries: entryPromises,
  'hub subscriptions': hubSubscriptionPromises,
  'robots.txt': robotsPromises,
  'queued articles': dueArticlePromises,
  'read articles': articlePromises,
  'indexing queue': indexPromises,
  'grouping queue': groupingPromises,
  'copies and stories': groupPromises,
  users: userPromises,
  subscriptions: subscriptionPromises,
  'read and starred state': readStatePromises,
  'labels and muted entries': entryLabelPromises,
  'saved searches, outgoing feeds and webhooks': sharingPromises,
  'values of users': userValuePromises,
  statistics: statisticsPromises,
  visibility: visibilityPromises,
  'concurrent callers': racePromises,
}
