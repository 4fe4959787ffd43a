/** Builds the search document of an entry. */
import { plainText } from '../../html/index.ts'
import { type Entry, sortAt, UNCATEGORIZED, UNKNOWN_LANGUAGE } from '../../model/index.ts'
import { hostOf, type SearchDocument, searchedPart, type UnindexedEntry } from '../../ports/index.ts'

const MAX_TEXT = 100_000 // characters of one entry that are searched
/** As many words as an ordinary text of that length has; limits texts that are noise, or have a word per letter. */
const MAX_WORDS = { words: 20_000, different: 5000 }

/** The text of the article, which includes that of its entry; without an article, the text of the feed. Tags follow. */
export function searchDocumentOf(
  entry: Entry,
  { text: article, authors = [] }: Pick<UnindexedEntry, 'text' | 'authors'>,
): SearchDocument {
  const { id, feedId, title, summary, content, seenAt, tags = [], people = [], author, url, language, category } = entry
  const text = (article ?? plainText((content ?? summary ?? '').slice(0, MAX_TEXT))).slice(0, MAX_TEXT)
  const host = url === undefined ? undefined : hostOf(url)
  return {
    id,
    feedId,
    at: sortAt(entry, seenAt),
    title,
    text: [searchedPart(text, MAX_WORDS), ...tags].join('\n'),
    names: [...new Set([author ?? '', ...people.map(({ name }) => name ?? ''), ...authors])].filter(Boolean),
    language: language ?? UNKNOWN_LANGUAGE,
    category: category ?? UNCATEGORIZED,
    ...(host && { host }),
  }
}
