import { afterEach, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { NetAnswer } from '../../ports/index.ts'
import { createThread, type Thread, type ThreadOptions } from '../../runtime/index.ts'
import { createDocumentReader, type DocumentReaderParts } from './large-documents.ts'
import { READER_MODULE, readInProcess, readPageInProcess } from './read-document.ts'
import { bodyHashOf } from './read-feed.ts'

const NOW = Date.UTC(2026, 0, 5)
let thread: Thread | undefined
afterEach(() => thread?.close())

function createReader({
  largeBytes = 1,
  largePageBytes = 1,
  ...options
}: Partial<DocumentReaderParts & ThreadOptions>) {
  thread = createThread({ module: READER_MODULE, ...options })
  const reader = createDocumentReader({ thread, largeBytes, largePageBytes })
  const read = (answer: NetAnswer & { ok: true }) => reader.read(answer, NOW, bodyHashOf(answer.body))
  return { read, readPage: (answer: NetAnswer & { ok: true }) => reader.readPage(answer, NOW) }
}

function answerWith(items: number): NetAnswer & { ok: true } {
  const item = (i: number) =>
    `<item><title>Goose ${i}</title><guid>g${i}</guid><description>At the weir.</description></item>`
  const document = `<rss version="2.0"><channel><title>Geese</title>${Array.from({ length: items }, (_, i) => item(i)).join('')}`
  const body = Buffer.from(`${document}</channel></rss>`)
  return {
    ok: true,
    status: 200,
    url: address('https://a.example/feed'),
    redirects: [],
    headers: {},
    body,
    wireBytes: body.length,
  }
}

it('reads small and large documents alike, one after the other', async () => {
  const { read } = createReader({ largeBytes: 10_000 })
  for (const count of [1, 500, 2, 700]) {
    const expected = await readInProcess(answerWith(count), NOW, bodyHashOf(answerWith(count).body))
    expect(await read(answerWith(count))).toEqual(expected)
  }
  const all = await Promise.all([900, 1, 800, 700].map((count) => read(answerWith(count))))
  expect(all.map((result) => result.kind === 'reading' && result.reading.entries.length)).toEqual([900, 1, 800, 700])
})

const pageOf = (sentences: number): NetAnswer & { ok: true } => {
  const paragraph = (_: unknown, i: number) =>
    `<p>${i}. The river rose by ${i * i} metres in the night, and the bells rang.</p>`
  const sentencesOf = Array.from({ length: sentences }, paragraph).join('')
  const body = new TextEncoder().encode(`<title>The river</title><article>${sentencesOf}`)
  return { ...answerWith(0), url: address('https://a.example/river'), headers: { 'content-type': 'text/html' }, body }
}

it('reads small and large pages alike, and truncates long ones', async () => {
  const { readPage } = createReader({ largePageBytes: 10_000 })
  for (const sentences of [1, 500])
    expect(await readPage(pageOf(sentences))).toEqual(await readPageInProcess(pageOf(sentences), NOW))
  const endless = await readPage(pageOf(20_000))
  if (endless.kind !== 'page') throw new Error('the page was not read')
  const { text, html } = endless.reading
  expect([text.length, html.length <= 1_000_000]).toEqual([500_000, true])
  expect(html.startsWith('<p>0. The river rose')).toBe(true)
})

it('gives up on a page that takes too long', async () => {
  const { readPage } = createReader({ timeoutMs: 1 })
  expect(await readPage(pageOf(50_000))).toMatchObject({ kind: 'failed', failure: { kind: 'too-large' } })
})

it('leaves the bytes of the caller usable, even in shared memory', async () => {
  const { read, readPage } = createReader({})
  const memory = new Uint8Array(answerWith(50).body)
  const view = Buffer.from(memory.buffer)
  const answer = { ...answerWith(50), body: view }
  expect(await read(answer)).toMatchObject({ kind: 'reading' })
  expect(await readPage({ ...answer, body: view.slice() })).toMatchObject({ kind: 'failed' })
  expect([memory.length, view.length]).toEqual([answerWith(50).body.length, memory.length])
})

it('reports a document that is not a feed', async () => {
  const { read } = createReader({})
  const page = { ...answerWith(1), body: Buffer.from('<!doctype html><title>Hello</title>') }
  expect(await read(page)).toMatchObject({ kind: 'failed', failure: { kind: 'not-a-feed' } })
})

it('gives up on a document that takes too long, and reports its size', async () => {
  const { read } = createReader({ timeoutMs: 1 })
  const { length } = answerWith(9_000).body
  const detail = `a document of ${length} bytes could not be read: it took more than 0.001 s`
  expect(await read(answerWith(9_000))).toEqual({ kind: 'failed', failure: { kind: 'too-large', detail } })
})

it('keeps the event loop free while a large document is read', async () => {
  const { read } = createReader({ largeBytes: 1000 })
  await read(answerWith(100))
  let turns = 0
  const turn = setInterval(() => turns++, 1)
  await read(answerWith(10_000))
  clearInterval(turn)
  expect(turns).toBeGreaterThan(2)
})
