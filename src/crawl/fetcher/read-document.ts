/**
 * Reading one document, a feed or an article page, as a request and a result. Both are plain values, so that another thread can do it
 * (large-documents.ts).
 */
import type { ParsedFeed } from '../../feeds/index.ts'
import type { ExtractionRules, Failure, FetchedFeed, Instant } from '../../model/index.ts'
import type { NetAnswer } from '../../ports/index.ts'
import { type ArticlePageResult, readArticlePage } from './read-article-page.ts'
import { readAnswer } from './read-feed.ts'

/** `parsed`: what the parser found beyond the model's fields; on request. */
export type DocumentResult =
  | { kind: 'reading'; reading: FetchedFeed; parsed?: Pick<ParsedFeed, 'facts' | 'entries'> }
  | { kind: 'failed'; failure: Failure }

/** `bodyHash`: of the response body. The body remains usable by the caller. */
export type ReadDocument = (
  answer: NetAnswer,
  now: Instant,
  bodyHash: string,
  include?: 'parsed',
) => Promise<DocumentResult>
/** Reads an article page, from a response with status 200. */
export type ReadPage = (
  answer: Extract<NetAnswer, { ok: true }>,
  now: Instant,
  rules?: ExtractionRules,
) => Promise<ArticlePageResult>

export type ReadRequest =
  | { kind: 'feed'; answer: NetAnswer; now: Instant; bodyHash: string; include?: 'parsed' }
  | { kind: 'page'; answer: Extract<NetAnswer, { ok: true }>; now: Instant; rules?: ExtractionRules | undefined }

/** The module that a reader thread imports: it calls `answerTo`. */
export const READER_MODULE = import.meta.url

/** The result is of the kind of the request. */
export function answerTo(request: ReadRequest): DocumentResult | ArticlePageResult {
  if (request.kind === 'page') return readArticlePage(request.answer, request.now, request.rules)
  const { answer, now, bodyHash, include } = request
  const read = readAnswer(answer, now, bodyHash)
  if (read.kind === 'failed') return read
  const { facts, entries } = read.parsed
  return { kind: 'reading', reading: read.reading, ...(include === 'parsed' && { parsed: { facts, entries } }) }
}

/** Blocks the event loop while a large document is read: for small documents, commands and tests. */
export const readInProcess: ReadDocument = async (answer, now, bodyHash, include) =>
  answerTo({ kind: 'feed', answer, now, bodyHash, ...(include && { include }) }) as DocumentResult
export const readPageInProcess: ReadPage = async (answer, now, rules) => readArticlePage(answer, now, rules)
