/**
 * Reads large feeds and pages in a thread, so that polls continue meanwhile: a feed of 10 MB takes 0.1 s, a page of 5 MB 0.2 s.
 * The thread reads one document at a time; the net limits how fast they arrive (large-bodies.ts). A document on which the thread runs out
 * of time or memory is unreadable. Small documents are read in process: sending them to a thread would take longer than reading them.
 */
import type { NetAnswer } from '../../ports/index.ts'
import type { ArticlePageResult } from './read-article-page.ts'
import {
  type DocumentResult,
  type ReadDocument,
  type ReadPage,
  type ReadRequest,
  readInProcess,
  readPageInProcess,
} from './read-document.ts'
import { failedResult } from './read-feed.ts'

type NetSuccess = Extract<NetAnswer, { ok: true }>

/** Runs `answerTo` in another thread, one request after the other. */
export interface ReaderThread {
  /** `transferred` buffers are detached in this thread: nothing else may use them. */
  ask(request: ReadRequest, transferred: ArrayBuffer[]): Promise<{ answer: unknown } | { error: string }>
}

export interface DocumentReaderParts {
  thread: ReaderThread
  largeBytes?: number
  /** Lower, since finding the article in a page takes longer than reading a feed. */
  largePageBytes?: number
}

const LARGE_BYTES = 500_000
const LARGE_PAGE_BYTES = 250_000

export function createDocumentReader({
  thread,
  largeBytes = LARGE_BYTES,
  largePageBytes = LARGE_PAGE_BYTES,
}: DocumentReaderParts): { read: ReadDocument; readPage: ReadPage } {
  /** Transfers a copy, so that the caller can use its bytes: 1 to 2 ms for 10 MB. */
  async function readInThread<Read extends DocumentResult | ArticlePageResult>(
    request: ReadRequest & { answer: NetSuccess },
  ) {
    const body = new Uint8Array(request.answer.body)
    const { length } = body
    const reply = await thread.ask({ ...request, answer: { ...request.answer, body } }, [body.buffer])
    if ('answer' in reply) return reply.answer as Read
    return failedResult({
      kind: 'too-large',
      detail: `a document of ${length} bytes could not be read: ${reply.error}`,
    })
  }

  return {
    async read(answer, now, bodyHash, include) {
      if (!answer.ok || answer.status !== 200 || answer.body.length < largeBytes)
        return readInProcess(answer, now, bodyHash, include)
      return readInThread<DocumentResult>({ kind: 'feed', answer, now, bodyHash, ...(include && { include }) })
    },
    async readPage(answer, now, rules) {
      if (answer.body.length < largePageBytes) return readPageInProcess(answer, now, rules)
      return readInThread<ArticlePageResult>({ kind: 'page', answer, now, rules })
    },
  }
}
