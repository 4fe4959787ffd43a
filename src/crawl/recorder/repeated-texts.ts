/**
 * Detects texts that several pages of a site share: a cookie notice, a login, or the shell of a page that needs JavaScript. They are not
 * article texts, so the entries keep the text of their feed.
 *
 * Kept in memory for the most recently read sites. When a text is detected, the articles recorded with it before are retracted.
 */
import type { ArticleId, Failure } from '../../model/index.ts'
import { bodyHashOf } from '../fetcher/read-feed.ts'

/** Number of different titles with one text; two may be one story published twice. */
const MIN_TITLES = 3
const MAX_SITES = 500
const MAX_TEXTS = 20
const MAX_ARTICLES = 10

export const REPEATED_TEXT: Failure = {
  kind: 'not-a-page',
  detail: 'several pages of this site show the same text, such as a cookie notice or a login',
}

interface Text {
  /** Articles recorded with this text before it was detected, with the titles of their entries. */
  titles: Map<ArticleId, string>
  isRepeated: boolean
}

export interface RepeatedTexts {
  /** Whether pages of this root share the text; `before`: the articles to retract when it is first detected. */
  isRepeated(root: string, text: string, title: string, id: ArticleId): { repeated: boolean; before: ArticleId[] }
}

export function createRepeatedTexts(): RepeatedTexts {
  const sites = new Map<string, Map<string, Text>>()

  function textsOf(root: string): Map<string, Text> {
    const texts = sites.get(root) ?? new Map<string, Text>()
    sites.delete(root)
    sites.set(root, texts)
    dropOldest(sites, MAX_SITES)
    return texts
  }

  return {
    isRepeated(root, text, title, id) {
      const hash = bodyHashOf(Buffer.from(text)) // exact: reports from a template differ only in their numbers
      const texts = textsOf(root)
      const seen = texts.get(hash) ?? { titles: new Map<ArticleId, string>(), isRepeated: false }
      texts.delete(hash)
      texts.set(hash, seen)
      dropOldest(texts, MAX_TEXTS)
      if (seen.isRepeated) return { repeated: true, before: [] }
      seen.titles.set(id, title) // an entry whose title changes is still one page
      dropOldest(seen.titles, MAX_ARTICLES)
      if (new Set(seen.titles.values()).size < MIN_TITLES) return { repeated: false, before: [] }
      const before = [...seen.titles.keys()].filter((other) => other !== id)
      seen.isRepeated = true
      seen.titles.clear()
      return { repeated: true, before }
    },
  }
}

function dropOldest<Key>(map: Map<Key, unknown>, maxSize: number): void {
  const [oldest] = map.keys()
  if (map.size > maxSize && oldest !== undefined) map.delete(oldest)
}
