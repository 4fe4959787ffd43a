/**
 * What a page says: main text, title, authors, dates, language, canonical address, image. All of it is a function of the
 * page. htmlparser2 splits the markup into tags, entities knows HTML's named characters.
 */
export type { Article, Found, FoundDate, Origin } from './article.ts'
export { dateVerdict, WEB_BEGAN } from './date-verdict.ts'
export { extractArticle } from './extract-article.ts'
export { isPage, mayBePage } from './page-type.ts'
