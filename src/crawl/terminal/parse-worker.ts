/**
 * Large documents, feeds and pages, are read in a thread of their own, so that polls go on meanwhile: ten megabytes take a
 * tenth of a second, and a page of five two tenths.
 * One document is read at a time; the net sees to it that they come no faster (large-bodies.ts). A document on which the
 * thread runs out of time or memory is one that we cannot read, and costs a thread. Small ones are read at once: to send
 * them there and back would take longer than to read them.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ParsedFeed } from '../../feeds/index.ts'
import { type Failure, type Instant, type Millis, type Reading, SECOND } from '../../model/index.ts'
import type { NetAnswer } from '../../ports/index.ts'
import { failed, readAnswer } from './read-feed.ts'
import { type PageRead, readPage } from './read-page.ts'

/** With what goes beyond the model's words, for those who asked for it. */
export type Read = { kind: 'reading'; reading: Reading; parsed?: Parsed } | { kind: 'failed'; failure: Failure }

type Parsed = Pick<ParsedFeed, 'facts' | 'entries'>

/** `bodyHash`: of the answer's body, which nobody may look at afterwards. */
export type ReadDocument = (answer: NetAnswer, now: Instant, bodyHash: string, how?: 'parsed') => Promise<Read>
/** The same for an article's page, which has come with 200. */
export type ReadPage = (answer: Extract<NetAnswer, { ok: true }>) => Promise<PageRead>

export interface ParseWorker {
  read: ReadDocument
  readPage: ReadPage
  close(): Promise<void>
}

export interface ParseWorkerOptions {
  largeBytes?: number
  /** To find the article in a page takes longer than to read a feed. */
  largePageBytes?: number
  patienceMs?: Millis
  memoryMb?: number
  /** So long the thread waits for another document. */
  idleMs?: Millis
}

/** What a thread is asked. */
export type Question =
  | { kind: 'feed'; answer: NetAnswer; now: Instant; bodyHash: string; how?: 'parsed' }
  | { kind: 'page'; answer: Extract<NetAnswer, { ok: true }> }

const LARGE_BYTES = 500_000
const LARGE_PAGE_BYTES = 250_000
const MOST_MEMORY_MB = 256

/** For those who have all the time there is, as in tests. */
export const readHere: ReadDocument = async (answer, now, bodyHash, how) =>
  answerTo({ kind: 'feed', answer, now, bodyHash, ...(how && { how }) }) as Read
export const pageHere: ReadPage = async (answer) => readPage(answer)

export function createParseWorker({
  largeBytes = LARGE_BYTES,
  largePageBytes = LARGE_PAGE_BYTES,
  patienceMs = 30 * SECOND,
  memoryMb = MOST_MEMORY_MB,
  idleMs = 30 * SECOND,
}: ParseWorkerOptions = {}): ParseWorker {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function endThread(): Promise<void> {
    const ending = thread
    thread = undefined
    clearTimeout(idle)
    await ending?.terminate()
  }

  /** The answer to a question is of its kind. */
  async function readAside<Answer extends Read | PageRead>(question: Question, bytes: number) {
    clearTimeout(idle)
    try {
      thread ??= await newThread(memoryMb)
      return (await answerOf(thread, question, patienceMs)) as Answer
    } catch (error) {
      await endThread()
      const detail = `a document of ${bytes} bytes could not be read: ${error instanceof Error ? error.message : error}`
      return failed({ kind: 'too-large', detail })
    } finally {
      idle = setTimeout(endThread, idleMs).unref()
    }
  }

  /** When all that came before has been read. */
  function inTurn<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    const answer = last.then(read)
    last = answer
    return answer
  }

  return {
    read(answer, now, bodyHash, how) {
      if (!answer.ok || answer.status !== 200 || answer.body.length < largeBytes)
        return readHere(answer, now, bodyHash, how)
      const { length } = answer.body
      return inTurn(() => readAside<Read>({ kind: 'feed', answer, now, bodyHash, ...(how && { how }) }, length))
    },
    readPage(answer) {
      const { length } = answer.body
      if (length < largePageBytes) return pageHere(answer)
      return inTurn(() => readAside<PageRead>({ kind: 'page', answer }, length))
    },
    async close() {
      await last
      await endThread()
    },
  }
}

export function answerTo(question: Question): Read | PageRead {
  if (question.kind === 'page') return readPage(question.answer)
  const { answer, now, bodyHash, how } = question
  const read = readAnswer(answer, now, bodyHash)
  if (read.kind === 'failed') return read
  const { facts, entries } = read.parsed
  return { kind: 'reading', reading: read.reading, ...(how === 'parsed' && { parsed: { facts, entries } }) }
}

/** Ready to read: its time begins then, and to end a thread while it is being loaded can take the process with it. */
async function newThread(memoryMb: number): Promise<Worker> {
  const file = import.meta.url.endsWith('.ts') ? './parse-thread.ts' : './parse-thread.js'
  const thread = new Worker(new URL(file, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  await once(thread, 'message')
  thread.unref()
  return thread
}

/** Throws if the thread ends instead. */
function answerOf(thread: Worker, question: Question, patienceMs: Millis): Promise<Read | PageRead> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => () => {
      clearTimeout(late)
      thread.off('message', take).off('error', fail).off('exit', fail)
      how()
    }
    const take = (read: Read | PageRead) => settle(() => resolve(read))()
    const fail = (error: unknown) => settle(() => reject(error))()
    const late = setTimeout(() => fail(`it took more than ${patienceMs / SECOND} s`), patienceMs)
    thread.on('message', take).on('error', fail).on('exit', fail)
    const { answer } = question
    const body = answer.ok ? ownBytes(answer.body) : undefined
    thread.postMessage({ ...question, answer: { ...answer, ...(body && { body }) } }, body ? [body.buffer] : [])
  })
}

/** Bytes that share their memory with nobody can be handed over instead of copied. */
function ownBytes(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const isAlone = body.buffer instanceof ArrayBuffer && body.buffer.byteLength === body.byteLength
  return isAlone ? new Uint8Array(body.buffer as ArrayBuffer) : new Uint8Array(body)
}
