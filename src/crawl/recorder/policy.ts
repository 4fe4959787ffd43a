/** The settings that recording depends on. */
import type { LanguageDetector } from '../../articles/index.ts'
import type { Feed, FeedId } from '../../model/index.ts'
import type { Terms } from '../../scheduling/index.ts'
import type { ArticlePolicy } from './articles-to-fetch.ts'

export interface Policy {
  /** Limits and price for polls of this feed at this moment. */
  terms: (feed: Pick<Feed, 'subscribers' | 'folder' | 'wants'> & { id?: FeedId }) => Terms
  /** The strategy of new feeds. */
  strategy: string
  /** key: an entry is known by its key. title: also if its feed had one with the same title (Adam et al. 2009). */
  knownBy: 'key' | 'title'
  /** Which articles are fetched; absent: none. */
  articles?: ArticlePolicy
  /** Detects the language of a text; absent: the statements of feeds and pages are used. */
  languageOf?: LanguageDetector
  /** In [0, 1). */
  random: () => number
}
