/** The JSON shape of an article. */
import type { ArticleShape, MissingTextShape } from '../../api/index.ts'
import type { WholeArticle } from '../../model/index.ts'
import { sanitizedHtml } from '../sanitized-html.ts'
import { isoOrUndefined, omitUndefined } from './values.ts'

/** `missing`: why there is no text, or only part of it. */
export function articleShape(
  { article, text, html, entryIds }: WholeArticle,
  { isWithheld, missing }: { isWithheld: boolean; missing?: MissingTextShape | undefined },
): ArticleShape {
  const { id, url, pageUrl = url, fetchedAt, facts } = article
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
    ...(!isWithheld && { text, html: sanitizedHtml(html, pageUrl) }),
    ...(missing && { missing }),
  }
}
