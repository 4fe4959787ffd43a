/**
 * Extracts articles from pages: main text, title, authors, dates, language, canonical URL, image. Also detects a
 * text's language, categorizes it by its publisher's terms, sanitizes HTML for browsers and converts it to Markdown.
 * Pure functions. Named character references are decoded by ../html.
 *
 * Terms, in addition to those of the model:
 *
 * - page:         one HTML document, parsed into an array of nodes
 * - node:         an element of a page, or a run of its text; its content follows it in the array (the *light tree*)
 * - block:        a run of text without block boundaries inside; the unit of text classification
 * - search state: shared by the steps of the search for the main text; each step *drops* elements
 * - fact:         metadata of a page, *found* in a place (`from`), which determines how far it is trusted
 * - verdict:      the chosen date, of the feed or the page, with its corrections
 * - level:        of a heading, 1 to 6; unrelated to the levels of groups
 * - passage:      a paragraph, heading, list item or similar, as written to Markdown and the terminal
 */
export type { Article, FactOrigin, FoundDate, FoundFact } from './article.ts'
export { categoryOf, type FoundCategory } from './category/categorize.ts'
export type { NewsCategory } from './category/category-words.ts'
export { type Chapter, chaptersInText, mayBeChapters, readChapters } from './chapters.ts'
export { addressDay } from './dates/url-date.ts'
export { decideDate, EARLIEST_WEB_DATE } from './decide-date.ts'
export { extractArticle } from './extract-article.ts'
export {
  createLanguageDetector,
  type DetectedLanguage,
  type LanguageDetector,
  type LanguageHints,
} from './language/detect-language.ts'
export { requestedDueAt } from './lifecycle/request-article.ts'
export { measureContent, richerText, type TextOrigin } from './output/content-measure.ts'
export { escapeHtml } from './output/escape.ts'
export { paragraphs } from './output/html.ts'
export { keepLines } from './output/text-lines.ts'
export { isPage, mayBePage, mediaType } from './page-type.ts'
export { markdownOf } from './prose/markdown.ts'
export type { Passage } from './prose/passages.ts'
export { type Readable, readableOf } from './prose/readable.ts'
export { escapeAttribute } from './safe/escape-attribute.ts'
export { largePictures } from './safe/large-pictures.ts'
export { sanitizeHtml } from './safe/sanitize.ts'
export { countMatches, extractionProblem } from './selectors/apply-rules.ts'
export { standInTitle, titleFromAddress } from './stand-in-title.ts'
export { bestTranscript, mayBeTranscript, readTranscript } from './transcript.ts'
