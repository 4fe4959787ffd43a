/** How the drivers divide a store's methods among their files: by what they are about, where roles go by who needs them. */
import type { Instant, Owned } from '../model/index.ts'
import type { GroupCatalogue, Readership, Store } from '../ports/index.ts'

export type ArticleMethods = Pick<DueDates, 'nextPageAt'> &
  Pick<
    Store,
    | 'enlistArticles'
    | 'delistArticles'
    | 'takeDueArticles'
    | 'handBackArticles'
    | 'pageLeases'
    | 'recordArticles'
    | 'articlesById'
    | 'articlesOfEntries'
    | 'articlesAt'
    | 'entriesOfArticles'
    | 'feedsOfArticles'
    | 'articleTexts'
    | 'rawPage'
    | 'everyArticle'
    | 'forgetPages'
    | 'shrinkPages'
    | 'forgetArticles'
    | 'diskUsage'
  >

export type GroupMethods = Omit<GroupCatalogue, 'statistics' | 'entriesByHour'> &
  Pick<Store, 'unplaced' | 'place' | 'habits' | 'goOver' | 'placeAgain' | 'signatures' | 'forgetSignatures'>

export type PushMethods = Pick<DueDates, 'nextHubAt'> &
  Pick<Store, 'pushByToken' | 'pushesOf' | 'everyPush' | 'duePushes' | 'recordPushes' | 'dropPushes'>

export type ReadingMethods = Pick<
  Readership,
  | 'follow'
  | 'unfollow'
  | 'changeReading'
  | 'renameFolder'
  | 'readings'
  | 'readingsOf'
  | 'waitingReadings'
  | 'standing'
  | 'readersOf'
  | 'feedsWithin'
  | 'unwanted'
  | 'everyFeedsReads'
>

/** What `nextDue` is made of. */
export interface DueDates {
  nextPollAt(owned?: Owned): Promise<Instant | undefined>
  nextPageAt(owned?: Owned): Promise<Instant | undefined>
  nextHubAt(owned?: Owned): Promise<Instant | undefined>
}

export function withNextDue<Methods extends DueDates>({ nextPollAt, nextPageAt, nextHubAt, ...methods }: Methods) {
  return {
    ...methods,
    async nextDue(owned?: Owned): Promise<{ pollAt?: Instant; pageAt?: Instant; hubAt?: Instant }> {
      const [pollAt, pageAt, hubAt] = await Promise.all([nextPollAt(owned), nextPageAt(owned), nextHubAt(owned)])
      return {
        ...(pollAt !== undefined && { pollAt }),
        ...(pageAt !== undefined && { pageAt }),
        ...(hubAt !== undefined && { hubAt }),
      }
    },
  }
}
