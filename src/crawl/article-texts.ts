/** What entries' articles say, for who knows the entries only. */
import type { EntryId } from '../model/index.ts'
import type { Store } from '../ports/index.ts'

/** In the order of `ids`; undefined where none has been read. */
export async function articleTextsOf(ids: EntryId[], store: Store): Promise<(string | undefined)[]> {
  const articles = await store.articlesOfEntries(ids)
  const read = articles.flatMap((article) => (article?.state === 'read' ? [article.id] : []))
  if (read.length === 0) return ids.map(() => undefined)
  const texts = await store.articleTexts(read)
  const byArticle = new Map(read.map((id, i) => [id, texts[i]?.text]))
  return articles.map((article) => (article ? byArticle.get(article.id) || undefined : undefined))
}
