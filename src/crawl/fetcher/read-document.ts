/**
 * The reading of one document, a feed's or an article's page, as a question and its answer: in plain values, so that another
 * thread can be asked as well (large-documents.ts).
 */
import type { ParsedFeed } from '../../feeds/index.ts'
import type { Failure, FeedReading, Instant } from '../../model/index.ts'
import type { NetAnswer } from '../../ports/index.ts'
import { readAnswer } from './read-feed.ts'
import { type PageRead, readAsPage } from './read-page.ts'

/** With what goes beyond the model's words, for those who asked for it. */
export type DocumentRead =
  | { kind: 'reading'; reading: FeedReading; parsed?: Pick<ParsedFeed, 'facts' | 'entries'> }
  | { kind: 'failed'; failure: Failure }

/** `bodyHash`: of the answer's body. The body stays the caller's. */
export type ReadDocument = (answer: NetAnswer, now: Instant, bodyHash: string, how?: 'parsed') => Promise<DocumentRead>
/** The same for an article's page, which has come with 200. */
export type ReadPage = (answer: Extract<NetAnswer, { ok: true }>, now: Instant) => Promise<PageRead>

export type Question =
  | { kind: 'feed'; answer: NetAnswer; now: Instant; bodyHash: string; how?: 'parsed' }
  | { kind: 'page'; answer: Extract<NetAnswer, { ok: true }>; now: Instant }

/** Where a thread that reads finds `answerTo`. */
export const READING_MODULE = import.meta.url

/** The answer to a question is of its kind. */
export function answerTo(question: Question): DocumentRead | PageRead {
  if (question.kind === 'page') return readAsPage(question.answer, question.now)
  const { answer, now, bodyHash, how } = question
  const read = readAnswer(answer, now, bodyHash)
  if (read.kind === 'failed') return read
  const { facts, entries } = read.parsed
  return { kind: 'reading', reading: read.reading, ...(how === 'parsed' && { parsed: { facts, entries } }) }
}

/** For those who have all the time there is, as in tests. */
export const readHere: ReadDocument = async (answer, now, bodyHash, how) =>
  answerTo({ kind: 'feed', answer, now, bodyHash, ...(how && { how }) }) as DocumentRead
export const pageHere: ReadPage = async (answer, now) => readAsPage(answer, now)
