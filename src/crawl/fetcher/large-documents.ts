/**
 * Large documents, feeds and pages, are read in a thread of their own, so that polls go on meanwhile: ten megabytes take a
 * tenth of a second, and a page of five two tenths.
 * One document is read at a time; the net sees to it that they come no faster (large-bodies.ts). A document on which the
 * thread runs out of time or memory is one that we cannot read. Small ones are read at once: to send them there and back
 * would take longer than to read them.
 */
import type { NetAnswer } from '../../ports/index.ts'
import {
  type DocumentRead,
  pageHere,
  type Question,
  type ReadDocument,
  type ReadPage,
  readHere,
} from './read-document.ts'
import { failed } from './read-feed.ts'
import type { PageRead } from './read-page.ts'

type NetSuccess = Extract<NetAnswer, { ok: true }>

/** Does what `answerTo` does, elsewhere, one question after the other. */
export interface ReadingThread {
  /** `transferred` buffers are detached here: only buffers that nobody else looks at may be in it. */
  ask(question: Question, transferred: ArrayBuffer[]): Promise<{ answer: unknown } | { gaveUp: string }>
}

export interface DocumentReaderParts {
  thread: ReadingThread
  largeBytes?: number
  /** To find the article in a page takes longer than to read a feed. */
  largePageBytes?: number
}

const LARGE_BYTES = 500_000
const LARGE_PAGE_BYTES = 250_000

export function createDocumentReader({
  thread,
  largeBytes = LARGE_BYTES,
  largePageBytes = LARGE_PAGE_BYTES,
}: DocumentReaderParts): { read: ReadDocument; readPage: ReadPage } {
  /** The caller keeps its bytes: only a copy is transferred, which takes a millisecond or two for ten megabytes. */
  async function readAside<Read extends DocumentRead | PageRead>(question: Question & { answer: NetSuccess }) {
    const body = new Uint8Array(question.answer.body)
    const { length } = body
    const told = await thread.ask({ ...question, answer: { ...question.answer, body } }, [body.buffer])
    if ('answer' in told) return told.answer as Read
    return failed({ kind: 'too-large', detail: `a document of ${length} bytes could not be read: ${told.gaveUp}` })
  }

  return {
    async read(answer, now, bodyHash, how) {
      if (!answer.ok || answer.status !== 200 || answer.body.length < largeBytes)
        return readHere(answer, now, bodyHash, how)
      return readAside<DocumentRead>({ kind: 'feed', answer, now, bodyHash, ...(how && { how }) })
    },
    async readPage(answer, now) {
      if (answer.body.length < largePageBytes) return pageHere(answer, now)
      return readAside<PageRead>({ kind: 'page', answer, now })
    },
  }
}
