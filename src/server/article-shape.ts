/** An article as our JSON has it; see shapes.ts. */
import { sanitise } from '../articles/index.ts'
import type { DateNote, DateVerdict, WholeArticle } from '../model/index.ts'
import { isoIfAny, present } from './present.ts'

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
