/**
 * Categorizes an article by its publisher's terms, looked up in a table. Terms of the entry (or the section of the page)
 * take precedence over those of the feed, since a feed may cover everything; without any known term it is uncategorized.
 */
import { UNCATEGORIZED } from '../../model/index.ts'
import { CATEGORIES, type NewsCategory, WORDS } from './category-words.ts'

export interface FoundCategory {
  value: NewsCategory
  from: 'entry' | 'feed' | 'default'
}

/** Terms verbatim: "Politics", "Sport/Fußball", "News > World", or a feed's title, "The Gazette - Business". */
export function categoryOf(feedTerms: readonly string[], entryTerms: readonly string[]): FoundCategory {
  const ofEntry = mostNamed(entryTerms)
  if (ofEntry) return { value: ofEntry, from: 'entry' }
  const ofFeed = mostNamed(feedTerms)
  return ofFeed ? { value: ofFeed, from: 'feed' } : { value: UNCATEGORIZED, from: 'default' }
}

const MAX_TERMS = 30
const MAX_TERM_LENGTH = 200

/** The category that most terms name; of ties the first, because publishers put the section before the tags. */
function mostNamed(terms: readonly string[]): NewsCategory | undefined {
  const votes = new Map<NewsCategory, number>()
  for (const term of terms.slice(0, MAX_TERMS)) {
    const category = categoryOfTerm(term.slice(0, MAX_TERM_LENGTH))
    if (category) votes.set(category, (votes.get(category) ?? 0) + 1)
  }
  let best: NewsCategory | undefined
  for (const [category, count] of votes) if (count > (votes.get(best ?? UNCATEGORIZED) ?? 0)) best = category
  return best
}

/** Looks up the whole term, then its parts (first match), then its words (last match): "US politics". */
function categoryOfTerm(term: string): NewsCategory | undefined {
  const letters = plainLetters(term)
  const whole = categoryTable().get(letters)
  if (whole) return whole
  for (const part of term.split(/[/>|:;,•·»→–—]|\s-\s|\s[&+]\s/)) {
    const category = categoryTable().get(plainLetters(part))
    if (category) return category
  }
  return UNSPACED.test(letters) ? containedCategory(letters) : lastWord(letters)
}

/** In "Le Monde" and "Die Welt" the last word is part of a name: "world" counts only if it stands alone. */
function lastWord(letters: string): NewsCategory | undefined {
  const words = letters.split(' ')
  if (words.length > MAX_WORDS) return undefined
  for (let i = words.length - 1; i >= 0; i--) {
    const pair = i > 0 ? categoryTable().get(`${words[i - 1]} ${words[i]}`) : undefined
    const category = pair ?? (words[i]!.length > 3 ? categoryTable().get(words[i]!) : undefined)
    if (category && (pair || category !== 'world')) return category
  }
  return undefined
}

const MAX_WORDS = 4 // longer terms are sentences

/** For scripts without spaces between words, as in 体育新闻. */
function containedCategory(letters: string): NewsCategory | undefined {
  for (const [word, category] of categoryTable()) if (UNSPACED.test(word) && letters.includes(word)) return category
  return undefined
}

const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u0e00-\u0e7f]/

/** Without case, accents and punctuation; one space between words. */
function plainLetters(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/&|\+/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

let table: ReadonlyMap<string, NewsCategory> | undefined

/** Built when it is first used: most threads and commands never do. */
function categoryTable(): ReadonlyMap<string, NewsCategory> {
  table ??= new Map(
    CATEGORIES.flatMap((category) =>
      WORDS[category].split(/\s+/).map((word): [string, NewsCategory] => [plainLetters(word), category]),
    ),
  )
  return table
}
