/**
 * Large documents, feeds and pages, are read in a thread of their own, so that polls go on meanwhile: ten megabytes take a
 * tenth of a second, and a page of five two tenths.
 * One document is read at a time; the net sees to it that they come no faster (large-bodies.ts). A document on which the
 * thread runs out of time or memory is one that we cannot read. Small ones are read at once: to send them there and back
 * would take longer than to read them.
 */
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

/** Does what `answerTo` does, elsewhere, one question after the other. */
export interface ReadingThread {
  /** What is handed over is the thread's from then on. */
  ask(question: Question, handedOver: ArrayBuffer[]): Promise<{ answer: unknown } | { gaveUp: string }>
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
  async function readAside<Read extends DocumentRead | PageRead>(question: Question, body: Uint8Array<ArrayBuffer>) {
    const { length } = body
    const told = await thread.ask(question, [body.buffer])
    if ('answer' in told) return told.answer as Read
    return failed({ kind: 'too-large', detail: `a document of ${length} bytes could not be read: ${told.gaveUp}` })
  }

  return {
    async read(answer, now, bodyHash, how) {
      if (!answer.ok || answer.status !== 200 || answer.body.length < largeBytes)
        return readHere(answer, now, bodyHash, how)
      const body = ownBytes(answer.body)
      const asked = { now, bodyHash, ...(how && { how }) }
      return readAside<DocumentRead>({ kind: 'feed', answer: { ...answer, body }, ...asked }, body)
    },
    async readPage(answer) {
      if (answer.body.length < largePageBytes) return pageHere(answer)
      const body = ownBytes(answer.body)
      return readAside<PageRead>({ kind: 'page', answer: { ...answer, body } }, body)
    },
  }
}

/** Bytes that share their memory with nobody can be handed over instead of copied. */
function ownBytes(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const isAlone = body.buffer instanceof ArrayBuffer && body.buffer.byteLength === body.byteLength
  return isAlone ? new Uint8Array(body.buffer as ArrayBuffer) : new Uint8Array(body)
}
