/** The JSON shape of an article. */
import type { ArticleShape } from '../../api/index.ts'
import type { WholeArticle } from '../../model/index.ts'
import { sanitizedHtml } from '../sanitized-html.ts'
import { isoOrUndefined, omitUndefined } from './values.ts'

export function articleShape({ article, text, html, entryIds }: WholeArticle): ArticleShape {
  const { id, url, pageUrl = url, fetchedAt, noArchive, facts } = article
  const { title, authors, date, modified, language, category, section, keywords } = facts ?? {}
  return {
    id,
    url,
    pageUrl,
    ...omitUndefined({
      title,
      authors,
      publishedAt: isoOrUndefined(date?.at),
      dateOnly: date?.dateOnly,
      dateFrom: date?.from,
      dateTrust: date?.trust,
      dateNotes: date?.notes,
      modifiedAt: isoOrUndefined(modified?.at),
      language,
      category,
      section,
      keywords,
      siteName: facts?.siteName,
      description: facts?.description,
      image: facts?.image,
      paywall: facts?.paywall,
      words: facts?.words,
      fetchedAt: isoOrUndefined(fetchedAt),
    }),
    entryIds,
    ...(!noArchive && { text, html: sanitizedHtml(html, pageUrl) }),
  }
}
