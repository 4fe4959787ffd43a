/** An article as our JSON has it; and, of an entry, what became of the page that it points at. */
import { sanitise } from '../../articles/index.ts'
import type { DateNote, DateVerdict, WholeArticle } from '../../model/index.ts'
import { isoIfAny, present } from './present.ts'
import type { TroubleShape } from './trouble.ts'

/** `html` is safe for a browser. Of pages that ask not to be shown from a copy there is neither it nor `text`. */
export interface ArticleShape {
  id: number
  /** As the entry has it, and where the page is. */
  url: string
  pageUrl: string
  title?: string
  authors?: string[]
  publishedAt?: string
  /** A day without a time of day. */
  dateOnly?: true
  /** Where the date is from, how far it is to be trusted, and what was done to it. */
  dateFrom?: DateVerdict['from']
  dateTrust?: number
  dateNotes?: DateNote[]
  modifiedAt?: string
  language?: string
  category?: string
  section?: string
  keywords?: string[]
  siteName?: string
  description?: string
  image?: string
  paywall?: 'locked' | 'metered'
  words?: number
  fetchedAt?: string
  entryIds: number[]
  text?: string
  html?: string
}

export type EntryArticleShape =
  | ({ state: 'read' } & ArticleShape)
  /**
   * waiting: it will be fetched at `dueAt`, or as soon as its site may be visited. failed: it could not be had. refused: its
   * site does not want it to be kept. forgotten: it was read, and is too old to be kept.
   */
  | {
      state: 'waiting' | 'failed' | 'refused' | 'forgotten'
      id: number
      url: string
      dueAt?: string
      failures: number
      trouble?: TroubleShape
    }

export function articleShape({ article, text, html, entryIds }: WholeArticle): ArticleShape {
  const { id, url, pageUrl = url, fetchedAt, noArchive, facts } = article
  const { title, authors, date, modified, language, category, section, keywords } = facts ?? {}
  return {
    id,
    url,
    pageUrl,
    ...present({
      title,
      authors,
      publishedAt: isoIfAny(date?.at),
      dateOnly: date?.dateOnly,
      dateFrom: date?.from,
      dateTrust: date?.trust,
      dateNotes: date?.notes,
      modifiedAt: isoIfAny(modified?.at),
      language,
      category,
      section,
      keywords,
      siteName: facts?.siteName,
      description: facts?.description,
      image: facts?.image,
      paywall: facts?.paywall,
      words: facts?.words,
      fetchedAt: isoIfAny(fetchedAt),
    }),
    entryIds,
    ...(!noArchive && { text, html: sanitise(html, pageUrl) }),
  }
}
