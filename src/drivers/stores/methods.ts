/** How the drivers divide a store's methods among their files: by what they are about, where roles go by who needs them. */
import type { GroupCatalogue, Readership, Store } from '../../ports/index.ts'

export type ArticleMethods = Pick<
  Store,
  | 'enlistArticles'
  | 'delistArticles'
  | 'takeDueArticles'
  | 'handBackArticles'
  | 'pageLeases'
  | 'nextArticleDueAt'
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

export type PushMethods = Pick<
  Store,
  'pushByToken' | 'pushesOf' | 'everyPush' | 'duePushes' | 'nextPushAt' | 'recordPushes' | 'dropPushes'
>

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
