/**
 * The same text on several pages of a site is not what these pages say: it is a cookie notice, a login, or the shell of a page
 * that only a browser fills. Entries of different titles whose pages say the same keep what their feed says.
 *
 * Remembered in memory, for the sites whose pages were read last; the first pages of a site are taken back when it shows.
 */
import { type ArticleId, type Failure, textHash } from '../../model/index.ts'

/** Pages of different titles with one text: two may be one story that was told twice. */
const PAGES_BELIEVED = 3
const MOST_SITES = 500
const MOST_TEXTS = 20

export const REPEATED_TEXT: Failure = {
  kind: 'not-a-page',
  detail: 'several pages of this site show the same text, such as a cookie notice or a login',
}

interface Text {
  titles: Set<string>
  /** Articles that were read with it before it was found out. */
  articles: Set<ArticleId>
}

export interface RepeatedTexts {
  /** Whether the text is one that pages of this root have in common; and which articles were taken for read before it was. */
  isRepeated(root: string, text: string, title: string, id: ArticleId): { repeated: boolean; before: ArticleId[] }
}

export function createRepeatedTexts(): RepeatedTexts {
  const sites = new Map<string, Map<number, Text>>()

  function textsOf(root: string): Map<number, Text> {
    const texts = sites.get(root) ?? new Map<number, Text>()
    sites.delete(root)
    sites.set(root, texts)
    dropOldest(sites, MOST_SITES)
    return texts
  }

  return {
    isRepeated(root, text, title, id) {
      const hash = textHash({ content: text })
      if (hash === undefined) return { repeated: false, before: [] }
      const texts = textsOf(root)
      const seen = texts.get(hash) ?? { titles: new Set<string>(), articles: new Set<ArticleId>() }
      texts.delete(hash)
      texts.set(hash, seen)
      dropOldest(texts, MOST_TEXTS)
      if (seen.titles.size < PAGES_BELIEVED) seen.titles.add(title)
      if (seen.titles.size < PAGES_BELIEVED) {
        if (seen.articles.size < PAGES_BELIEVED) seen.articles.add(id)
        return { repeated: false, before: [] }
      }
      const before = [...seen.articles].filter((other) => other !== id)
      seen.articles.clear()
      return { repeated: true, before }
    },
  }
}

function dropOldest<Key>(map: Map<Key, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
