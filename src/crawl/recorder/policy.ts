/** What the crawl decides by, beside what it sees. */
import type { LanguageOf } from '../../articles/index.ts'
import type { Feed, FeedId } from '../../model/index.ts'
import type { Terms } from '../../scheduling/index.ts'
import type { ArticlePolicy } from './articles-to-fetch.ts'

export interface Policy {
  /** On what terms a poll of this feed is had at this moment. */
  terms: (feed: Pick<Feed, 'subscribers' | 'folder' | 'wants'> & { id?: FeedId }) => Terms
  /** The strategy of feeds that are added from now on. */
  strategy: string
  /** When an entry counts as known: by its key, or also when its feed had one of the same title (Adam et al. 2009). */
  knownBy: 'key' | 'title'
  /** Which pages are fetched; absent: none. */
  articles?: ArticlePolicy
  /** Tells the language of a text; absent: what feeds and pages state is believed. */
  languageOf?: LanguageOf
  /** In [0, 1). */
  random: () => number
}
