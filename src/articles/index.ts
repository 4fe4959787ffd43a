/**
 * What a page says: main text, title, authors, dates, language, canonical address, image; what language a text is in, and
 * which category its publisher puts it into; HTML from outside, made safe for a browser, or written as Markdown. All of it
 * is a function of its arguments. entities knows HTML's named characters. Its own words, beside those of the model:
 *
 * - page:       one HTML document, and in here the array of its pieces
 * - piece:      an element of a page, or a run of its text; what is inside it follows it (the *light tree*)
 * - block:      a run of text with no block's edge inside; everything that judges text judges blocks
 * - scene:      what the steps of the search for the main text share; each *drops* what it takes away
 * - fact:       what a page says about itself, *found* in a place (`from`), which says how far it is trusted
 * - verdict:    on dates: which of those that feed and page give is kept, and what had to be done to it
 * - level:      of a heading, 1 to 6; groups of entries have levels of another kind, which are not known here
 * - passage:    what stands on lines of its own, as Markdown and the terminal write it
 */
export type { Article, FactOrigin, FoundDate, FoundFact } from './article.ts'
export { categoryOf, type FoundCategory } from './category/categorize.ts'
export type { NewsCategory } from './category/category-words.ts'
export { addressDay } from './dates/url-date.ts'
export { dateVerdict, WEB_BEGAN } from './decide-date.ts'
export { extractArticle } from './extract-article.ts'
export { createLanguageOf, type LanguageHints, type LanguageOf, type ToldLanguage } from './language/detect-language.ts'
export { paragraphs } from './output/html.ts'
export { isPage, mayBePage, mediaType } from './page-type.ts'
export { markdownOf } from './prose/markdown.ts'
export type { Passage } from './prose/passages.ts'
export { type Readable, readableOf } from './prose/readable.ts'
export { escapeAttribute } from './safe/escape-attribute.ts'
export { sanitise } from './safe/sanitize.ts'
export { bestTranscript, mayBeTranscript, readTranscript } from './transcript.ts'
