import { afterEach, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { NetAnswer } from '../../ports/index.ts'
import { createThread, type Thread, type ThreadOptions } from '../../runtime/index.ts'
import { createDocumentReader, type DocumentReaderParts } from './large-documents.ts'
import { pageHere, READING_MODULE, readHere } from './read-document.ts'
import { bodyHashOf } from './read-feed.ts'

const NOW = Date.UTC(2026, 0, 5)
let thread: Thread | undefined
afterEach(() => thread?.close())

function roomWith({ largeBytes = 1, largePageBytes = 1, ...options }: Partial<DocumentReaderParts & ThreadOptions>) {
  thread = createThread({ module: READING_MODULE, ...options })
  const room = createDocumentReader({ thread, largeBytes, largePageBytes })
  const read = (answer: NetAnswer & { ok: true }) => room.read(answer, NOW, bodyHashOf(answer.body))
  return { read, readPage: (answer: NetAnswer & { ok: true }) => room.readPage(answer, NOW) }
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
  const { read } = roomWith({ largeBytes: 10_000 })
  for (const count of [1, 500, 2, 700]) {
    const expected = await readHere(answerWith(count), NOW, bodyHashOf(answerWith(count).body))
    expect(await read(answerWith(count))).toEqual(expected)
  }
  const all = await Promise.all([900, 1, 800, 700].map((count) => read(answerWith(count))))
  expect(all.map((one) => one.kind === 'reading' && one.reading.entries.length)).toEqual([900, 1, 800, 700])
})

const pageOf = (sentences: number): NetAnswer & { ok: true } => {
  const paragraph = (_: unknown, i: number) =>
    `<p>${i}. The river rose by ${i * i} metres in the night, and the bells rang.</p>`
  const sentencesOf = Array.from({ length: sentences }, paragraph).join('')
  const body = new TextEncoder().encode(`<title>The river</title><article>${sentencesOf}`)
  return { ...answerWith(0), url: address('https://a.example/river'), headers: { 'content-type': 'text/html' }, body }
}

it('reads small and large pages alike, and keeps of each no more than a book', async () => {
  const { readPage } = roomWith({ largePageBytes: 10_000 })
  for (const sentences of [1, 500])
    expect(await readPage(pageOf(sentences))).toEqual(await pageHere(pageOf(sentences), NOW))
  const endless = await readPage(pageOf(20_000))
  if (endless.kind !== 'page') throw new Error('it was not read')
  const { text, html } = endless.reading
  expect([text.length, html.length <= 1_000_000]).toEqual([500_000, true])
  expect(html.startsWith('<p>0. The river rose')).toBe(true)
})

it('gives up a page that takes too long', async () => {
  const { readPage } = roomWith({ patienceMs: 1 })
  expect(await readPage(pageOf(50_000))).toMatchObject({ kind: 'failed', failure: { kind: 'too-large' } })
})

it('leaves the bytes that it was given whole, whoever else looks at the same memory', async () => {
  const { read, readPage } = roomWith({})
  const memory = new Uint8Array(answerWith(50).body)
  const view = Buffer.from(memory.buffer)
  const answer = { ...answerWith(50), body: view }
  expect(await read(answer)).toMatchObject({ kind: 'reading' })
  expect(await readPage({ ...answer, body: view.slice() })).toMatchObject({ kind: 'failed' })
  expect([memory.length, view.length]).toEqual([answerWith(50).body.length, memory.length])
})

it('says what is no feed', async () => {
  const { read } = roomWith({})
  const page = { ...answerWith(1), body: Buffer.from('<!doctype html><title>Hello</title>') }
  expect(await read(page)).toMatchObject({ kind: 'failed', failure: { kind: 'not-a-feed' } })
})

it('gives up a document that takes too long, and says how large it is', async () => {
  const { read } = roomWith({ patienceMs: 1 })
  const { length } = answerWith(9_000).body
  const detail = `a document of ${length} bytes could not be read: it took more than 0.001 s`
  expect(await read(answerWith(9_000))).toEqual({ kind: 'failed', failure: { kind: 'too-large', detail } })
})

it('others get their turn while a large document is read', async () => {
  const { read } = roomWith({ largeBytes: 1000 })
  await read(answerWith(100))
  let turns = 0
  const turn = setInterval(() => turns++, 1)
  await read(answerWith(10_000))
  clearInterval(turn)
  expect(turns).toBeGreaterThan(2)
})
