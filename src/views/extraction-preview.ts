/** Extraction rules on the stored page of an entry, before they are saved. */
import type { ExtractionPreviewShape } from '../api/index.ts'
import { countMatches, extractArticle, isPage, sanitizeHtml } from '../articles/index.ts'
import { decodeText } from '../feeds/index.ts'
import type { Entry, EntryId, ExtractionRules, FeedId } from '../model/index.ts'
import type { ArticleCatalogue, Catalogue } from '../ports/index.ts'

export { extractionProblem } from '../articles/index.ts'

/** How many of the newest entries are searched for a stored page. */
const MAX_ENTRIES = 30

interface PreviewParts {
  catalogue: Pick<Catalogue, 'entries' | 'entriesById'>
  articleCatalogue: Pick<ArticleCatalogue, 'articlesOfEntries' | 'rawPage'>
}

/** Undefined if no page is stored. */
export async function extractionPreview(
  { catalogue, articleCatalogue }: PreviewParts,
  feedId: FeedId,
  rules: ExtractionRules,
  entryId: EntryId | undefined,
): Promise<ExtractionPreviewShape | undefined> {
  const entries =
    entryId === undefined
      ? await catalogue.entries({ feedId, limit: MAX_ENTRIES })
      : (await catalogue.entriesById([entryId])).filter((entry) => entry !== undefined && entry.feedId === feedId)
  const articles = await articleCatalogue.articlesOfEntries(entries.map((entry) => entry!.id))
  for (const [i, article] of articles.entries()) {
    const page = article?.state === 'read' ? await articleCatalogue.rawPage(article.id) : undefined
    if (!article || !page || !isPage(page.headers['content-type'], page.body)) continue
    const html = decodeText(page.body, page.headers['content-type']).text
    return shapeOf(entries[i]!, html, article.pageUrl ?? article.url, rules)
  }
  return undefined
}

function shapeOf(entry: Entry, html: string, url: string, rules: ExtractionRules): ExtractionPreviewShape {
  const article = extractArticle(html, url, undefined, rules)
  return {
    entryId: entry.id,
    url,
    title: entry.title,
    html: sanitizeHtml(article.html, url),
    words: article.words,
    wordsWithoutRules: extractArticle(html, url).words,
    matches: countMatches(html, rules),
  }
}
