/**
 * Detects the language and category of entries and articles: from their text, their publisher's statements, or their feed. If unknown, they
 * stay empty; views fall back on English and uncategorized (Adam et al. 2009).
 */
import { categoryOf, type LanguageDetector } from '../../articles/index.ts'
import type { ArticleFacts, Entry, EntryDraft, Feed } from '../../model/index.ts'
import type { EntryChanges } from '../../ports/index.ts'
import { mapInSlices } from '../../runtime/index.ts'
import type { PollTexts } from './poll-texts.ts'

type About = Pick<Feed, 'language' | 'category'>

const LANGUAGE_SAMPLE = 2000 // characters

function classify(
  { language: stated, ...entry }: EntryDraft,
  feed: About,
  languageOf: LanguageDetector | undefined,
  texts: PollTexts,
): EntryDraft {
  const { title, content, summary, tags = [] } = entry
  const text = () => `${title}\n${texts.beginning(content ?? summary ?? '', LANGUAGE_SAMPLE)}`
  const language = languageIn(text, { page: stated, feed: feed.language }, languageOf)
  const category = categoryIn(tags) ?? feed.category
  return { ...entry, ...(language && { language }), ...(category && { category }) }
}

/** Classifies all new and changed entries, in time slices: language detection takes tenths of a millisecond per text. */
export async function classifyNews(
  { fresh, changed }: EntryChanges,
  feed: About,
  languageOf: LanguageDetector | undefined,
  texts: PollTexts,
): Promise<EntryChanges> {
  const each = (entries: EntryDraft[]) => mapInSlices(entries, (entry) => classify(entry, feed, languageOf, texts))
  return { fresh: await each(fresh), changed: await each(changed) }
}

/** The text takes precedence over statements, and the page's statements over the feed's. */
export function classifyFacts(
  facts: ArticleFacts,
  text: string,
  entry: Entry | undefined,
  feed: About | undefined,
  languageOf: LanguageDetector | undefined,
): ArticleFacts {
  const { language: stated, section, keywords = [], ...rest } = facts
  const hints = { page: stated, feed: feed?.language }
  const language = languageIn(() => text.slice(0, LANGUAGE_SAMPLE), hints, languageOf) ?? entry?.language
  const category = categoryIn([...(section ? [section] : []), ...keywords]) ?? entry?.category ?? feed?.category
  return {
    ...rest,
    ...(section && { section }),
    ...(keywords.length > 0 && { keywords }),
    ...(language && { language }),
    ...(category && { category }),
  }
}

/** The category of a feed or an entry: from its terms, else its title. */
export function categoryIn(terms: readonly string[], title?: string): string | undefined {
  const { value, from } = categoryOf(title ? [title] : [], terms)
  return from === 'default' ? undefined : value
}

function languageIn(
  text: () => string,
  hints: { page: string | undefined; feed: string | undefined },
  languageOf: LanguageDetector | undefined,
): string | undefined {
  if (!languageOf) return hints.page ?? hints.feed
  const { value, from } = languageOf(text(), hints)
  return from === 'default' ? undefined : value
}
