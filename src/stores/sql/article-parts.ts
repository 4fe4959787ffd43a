/** The writers that articles need, put together. */
import { type ArticleLines, createArticleLines } from './article-lines.ts'
import { type ArticleWriter, createArticleWriter } from './article-writer.ts'
import { createEnlist, type Enlist } from './articles-enlisted.ts'
import type { Dialect } from './dialect.ts'
import { createPages, type Pages } from './pages.ts'

export interface ArticleParts {
  lines: ArticleLines
  pages: Pages
  writer: ArticleWriter
  enlist: Enlist
}

export function createArticleParts(dialect: Dialect): ArticleParts {
  const lines = createArticleLines(dialect)
  const pages = createPages(dialect)
  const writer = createArticleWriter(dialect, pages)
  return { lines, pages, writer, enlist: createEnlist(dialect, lines, writer) }
}
