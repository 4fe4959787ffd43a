/** What is searched of an entry. */
import { plainText } from '../../html/index.ts'
import { type Entry, sortAt, UNCATEGORIZED, UNKNOWN_LANGUAGE } from '../../model/index.ts'
import { hostOf, type SearchDocument, searchedPart, type Unindexed } from '../../ports/index.ts'

const LONGEST_TEXT = 100_000 // characters of one entry that are searched
/** And of these so many: as many as an ordinary text of that length has, and no more of one that is noise, or has a word for each letter. */
const MOST_WORDS = { words: 20_000, different: 5000 }

/** An article's text says all that its entry does, and more; where there is none, the feed's own words. Behind it, tags. */
export function documentOf(
  entry: Entry,
  { text: article, authors = [] }: Pick<Unindexed, 'text' | 'authors'>,
): SearchDocument {
  const { id, feedId, title, summary, content, seenAt, tags = [], people = [], author, url, language, category } = entry
  const text = (article ?? plainText((content ?? summary ?? '').slice(0, LONGEST_TEXT))).slice(0, LONGEST_TEXT)
  const host = url === undefined ? undefined : hostOf(url)
  return {
    id,
    feedId,
    at: sortAt(entry, seenAt),
    title,
    text: [searchedPart(text, MOST_WORDS), ...tags].join('\n'),
    names: [...new Set([author ?? '', ...people.map(({ name }) => name ?? ''), ...authors])].filter(Boolean),
    language: language ?? UNKNOWN_LANGUAGE,
    category: category ?? UNCATEGORIZED,
    ...(host && { host }),
  }
}
