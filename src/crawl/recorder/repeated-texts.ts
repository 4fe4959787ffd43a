/**
 * The same text on several pages of a site is not what these pages say: it is a cookie notice, a login, or the shell of a page
 * that only a browser fills. Entries of different titles whose pages say the same keep what their feed says.
 *
 * Remembered in memory, for the sites whose pages were read last; the first pages of a site are taken back when it shows.
 */
import type { ArticleId, Failure } from '../../model/index.ts'
import { bodyHashOf } from '../fetcher/read-feed.ts'

/** Pages of different titles with one text: two may be one story that was told twice. */
const PAGES_BELIEVED = 3
const MOST_SITES = 500
const MOST_TEXTS = 20
const MOST_PAGES = 10

export const REPEATED_TEXT: Failure = {
  kind: 'not-a-page',
  detail: 'several pages of this site show the same text, such as a cookie notice or a login',
}

interface Text {
  /** Articles that were read with it before it was found out, with the titles of their entries. */
  titles: Map<ArticleId, string>
  isRepeated: boolean
}

export interface RepeatedTexts {
  /** Whether the text is one that pages of this root have in common; and which articles were taken for read before it was. */
  isRepeated(root: string, text: string, title: string, id: ArticleId): { repeated: boolean; before: ArticleId[] }
}

export function createRepeatedTexts(): RepeatedTexts {
  const sites = new Map<string, Map<string, Text>>()

  function textsOf(root: string): Map<string, Text> {
    const texts = sites.get(root) ?? new Map<string, Text>()
    sites.delete(root)
    sites.set(root, texts)
    dropOldest(sites, MOST_SITES)
    return texts
  }

  return {
    isRepeated(root, text, title, id) {
      const hash = bodyHashOf(Buffer.from(text)) // to the letter: reports by a template differ in their numbers alone
      const texts = textsOf(root)
      const seen = texts.get(hash) ?? { titles: new Map<ArticleId, string>(), isRepeated: false }
      texts.delete(hash)
      texts.set(hash, seen)
      dropOldest(texts, MOST_TEXTS)
      if (seen.isRepeated) return { repeated: true, before: [] }
      seen.titles.set(id, title) // an entry whose title was changed is one page
      dropOldest(seen.titles, MOST_PAGES)
      if (new Set(seen.titles.values()).size < PAGES_BELIEVED) return { repeated: false, before: [] }
      const before = [...seen.titles.keys()].filter((other) => other !== id)
      seen.isRepeated = true
      seen.titles.clear()
      return { repeated: true, before }
    },
  }
}

function dropOldest<Key>(map: Map<Key, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
