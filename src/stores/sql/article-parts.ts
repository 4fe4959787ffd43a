/** Creates the writers for articles. */
import { type ArticleQueues, createArticleQueues } from './article-queues.ts'
import { type ArticleWriter, createArticleWriter } from './article-writer.ts'
import type { Dialect } from './dialect.ts'
import { createRawPageWriter, type RawPageWriter } from './raw-pages.ts'
import { createWantArticles, type WantArticles } from './wanted-articles.ts'

export interface ArticleParts {
  queues: ArticleQueues
  pages: RawPageWriter
  writer: ArticleWriter
  wantArticles: WantArticles
}

export function createArticleParts(dialect: Dialect): ArticleParts {
  const queues = createArticleQueues(dialect)
  const pages = createRawPageWriter(dialect)
  const writer = createArticleWriter(dialect, pages)
  return { queues, pages, writer, wantArticles: createWantArticles(dialect, queues, writer) }
}
