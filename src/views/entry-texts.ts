/** The texts of entries by which they are searched. */
import { plainText } from '../feeds/index.ts'
import type { Entry, UserId } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { showableArticles } from './no-archive.ts'

/** The stores that entries and groups are read from. */
export type Catalogues = Pick<Roles, 'catalogue' | 'articleCatalogue' | 'groupCatalogue' | 'readerState'>

/** Characters of HTML to search. */
const MAX_HTML = 50_000

/** The indexed texts, in the order of the entries: of their articles, or of their feeds. Articles may be long: ask for few at once. */
export async function searchedTexts(
  entries: Entry[],
  stores: Catalogues,
  reader: UserId | undefined,
): Promise<string[]> {
  const articleTexts = await articleTextsOf(entries, stores, reader)
  return entries.map((entry, i) => articleTexts[i] ?? feedTextOf(entry))
}

/** The texts of articles that may be shown to the reader. */
async function articleTextsOf(
  entries: Entry[],
  stores: Catalogues,
  reader: UserId | undefined,
): Promise<(string | undefined)[]> {
  const { articleCatalogue } = stores
  const articles = await articleCatalogue.articlesOfEntries(entries.map(({ id }) => id))
  const isShown = await showableArticles(entries, articles, { reader }, stores)
  const read = articles.flatMap((article, i) => (article && isShown[i] ? [article.id] : []))
  const texts = read.length > 0 ? await articleCatalogue.articleTexts(read) : []
  const textById = new Map(read.map((id, i) => [id, texts[i]?.text]))
  return articles.map((article) => article && textById.get(article.id))
}

function feedTextOf({ content, summary }: Entry): string {
  return plainText((content ?? summary ?? '').slice(0, MAX_HTML))
}
