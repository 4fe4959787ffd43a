/**
 * What language an entry or an article is in, and what it is about: by its text, by what its publisher calls it, by its
 * feed. What nobody knows is left open; whoever shows it falls back on English and uncategorized (Adam et al. 2009).
 */
import { categoryOf, type LanguageOf } from '../../articles/index.ts'
import type { ArticleFacts, Entry, EntryDraft, Feed } from '../../model/index.ts'
import type { News } from '../../ports/index.ts'
import { mapInSlices } from '../../runtime/index.ts'
import type { PollTexts } from './poll-texts.ts'

type About = Pick<Feed, 'language' | 'category'>

const ENOUGH_TEXT = 2000 // characters

function classified(
  { language: stated, ...entry }: EntryDraft,
  feed: About,
  languageOf: LanguageOf | undefined,
  texts: PollTexts,
): EntryDraft {
  const { title, content, summary, tags = [] } = entry
  const text = () => `${title}\n${texts.beginning(content ?? summary ?? '', ENOUGH_TEXT)}`
  const language = languageIn(text, { page: stated, feed: feed.language }, languageOf)
  const category = categoryIn(tags) ?? feed.category
  return { ...entry, ...(language && { language }), ...(category && { category }) }
}

/** All that is new or changed; the language of a text takes tenths of a millisecond. */
export async function classifiedNews(
  { fresh, changed }: News,
  feed: About,
  languageOf: LanguageOf | undefined,
  texts: PollTexts,
): Promise<News> {
  const each = (entries: EntryDraft[]) => mapInSlices(entries, (entry) => classified(entry, feed, languageOf, texts))
  return { fresh: await each(fresh), changed: await each(changed) }
}

/** The page's own word for it goes before the feed's; its text, before what anybody says. */
export function classifiedFacts(
  facts: ArticleFacts,
  text: string,
  entry: Entry | undefined,
  feed: About | undefined,
  languageOf: LanguageOf | undefined,
): ArticleFacts {
  const { language: stated, section, keywords = [], ...rest } = facts
  const hints = { page: stated, feed: feed?.language }
  const language = languageIn(() => text.slice(0, ENOUGH_TEXT), hints, languageOf) ?? entry?.language
  const category = categoryIn([...(section ? [section] : []), ...keywords]) ?? entry?.category ?? feed?.category
  return {
    ...rest,
    ...(section && { section }),
    ...(keywords.length > 0 && { keywords }),
    ...(language && { language }),
    ...(category && { category }),
  }
}

/** Of the feed as a whole: its terms, else its title. */
export function categoryIn(terms: readonly string[], title?: string): string | undefined {
  const { value, from } = categoryOf(title ? [title] : [], terms)
  return from === 'default' ? undefined : value
}

function languageIn(
  text: () => string,
  hints: { page: string | undefined; feed: string | undefined },
  languageOf: LanguageOf | undefined,
): string | undefined {
  if (!languageOf) return hints.page ?? hints.feed
  const { value, from } = languageOf(text(), hints)
  return from === 'default' ? undefined : value
}
