/**
 * What a page says: main text, title, authors, dates, language, canonical address, image; what language a text is in, and
 * which category its publisher puts it into; HTML from outside, made safe for a browser, or written as Markdown. All of it
 * is a function of its arguments. entities knows HTML's named characters.
 */
export type { Article, Found, FoundDate, Origin } from './article.ts'
export { categoryOf, type FoundCategory } from './category/category-of.ts'
export type { Category } from './category/words.ts'
export { dateVerdict, WEB_BEGAN } from './date-verdict.ts'
export { extractArticle } from './extract-article.ts'
export { createLanguageOf, type Language, type LanguageHints, type LanguageOf } from './language/language-of.ts'
export { paragraphs } from './output/html.ts'
export { isPage, mayBePage } from './page-type.ts'
export { markdownOf } from './prose/markdown.ts'
export type { Passage } from './prose/passages.ts'
export { type Readable, readableOf } from './prose/readable.ts'
export { sanitise } from './safe/sanitise.ts'
