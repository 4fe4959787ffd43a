/** Audio and video through the server: ranges, limits, and what is refused. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../../test/server-fixture.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { HOUR, MINUTE } from '../../model/index.ts'
import type { Clock, Net, NetRequest } from '../../ports/index.ts'
import {
  createRecordings,
  MAX_STREAMS,
  MAX_STREAMS_PER_USER,
  MAX_WHOLE_BYTES,
  type OpenedRecording,
  PART_BYTES,
} from './recordings.ts'

const FEED = address('https://talks.example/feed')
const TALK = 'https://talks.example/talk.mp3'
const wanted = { url: TALK, feedUrl: FEED }
const FILE = Uint8Array.from({ length: 2 * PART_BYTES + 500 }, (_, i) => (i * 7) % 256)

interface FakeFile {
  file?: Uint8Array
  type?: string
  /** Ignores ranges. */
  isWhole?: boolean
  status?: number
  location?: string
}

/** Answers ranges of a file, and records requests. */
function fakeNet({ file = FILE, type = 'audio/mpeg', isWhole = false, status, location }: FakeFile = {}) {
  const requests: NetRequest[] = []
  const net: Net = {
    async get(request) {
      requests.push(request)
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers?.range ?? '')!
      const [from, to] = [Number(first), Math.min(Number(last), file.length - 1)]
      const about = { url: address(location ?? request.url), redirects: [], wireBytes: 0, ok: true as const }
      if (status) return { ...about, status, headers: {}, body: new Uint8Array() }
      if (!isWhole && from >= file.length) {
        const headers = { 'content-range': `bytes */${file.length}`, 'content-type': type }
        return { ...about, status: 416, headers, body: new Uint8Array() }
      }
      const body = isWhole ? file : file.subarray(from, to + 1)
      const headers: Record<string, string> = { 'content-type': type, 'content-length': String(body.length) }
      if (!isWhole) headers['content-range'] = `bytes ${from}-${to}/${file.length}`
      return {
        ...about,
        status: isWhole ? 200 : 206,
        headers,
        body: request.shouldSkipBody?.(headers) ? new Uint8Array() : body,
      }
    },
    post: () => Promise.reject(new Error('nothing is posted')),
    close: async () => {},
  }
  return { net, requests }
}

function streamOf(opened: OpenedRecording): ReadableStream<Uint8Array> {
  if (opened.kind !== 'stream') throw new Error(opened.kind)
  return opened.body
}

const bytesOf = async (opened: OpenedRecording) =>
  new Uint8Array(await new Response(streamOf(opened) as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())

const recordingsOver = ({ net }: { net: Net }, clock: Clock = createSteppedClock(0)) => createRecordings({ net, clock })

async function filled(net: Net, proxyMedia = true) {
  const fixture = createServerFixture({ net, proxyMedia })
  await fixture.addFeed({
    url: FEED,
    title: 'Talks',
    entries: [
      {
        title: 'Talk',
        agoMs: HOUR,
        url: 'https://talks.example/1',
        content: '<p><audio src="/clip.ogg" controls></audio></p>',
        media: [{ url: address(TALK), kind: 'audio', type: 'audio/mpeg' }],
      },
    ],
  })
  const ask = (url: string, headers: Record<string, string> = {}) =>
    fixture.app.request(`/api/v1/entries/1/recording?url=${encodeURIComponent(url)}`, { headers })
  return { ...fixture, ask }
}

describe('a recording', () => {
  test('is loaded by the server as a whole or as a range', async () => {
    const { net, requests } = fakeNet()
    const { ask } = await filled(net)
    const whole = await ask(TALK)
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-length': String(FILE.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(FILE)
    const range = await ask(TALK, { range: 'bytes=100-1000099' })
    expect([range.status, range.headers.get('content-range')]).toEqual([206, `bytes 100-1000099/${FILE.length}`])
    expect(new Uint8Array(await range.arrayBuffer())).toEqual(FILE.subarray(100, 1_000_100))
    const beyond = await ask(TALK, { range: 'bytes=99999999-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${FILE.length}`])
    for (const { named } of requests) expect(named).toBe(FEED)
  })

  test('is loaded only if the entry refers to it, and only with --proxy-media', async () => {
    const { net, requests } = fakeNet()
    const { ask } = await filled(net)
    expect((await ask('https://talks.example/clip.ogg')).status).toBe(200)
    for (const url of ['https://talks.example/other.mp3', 'http://127.0.0.1/', 'file:///etc/passwd', ''])
      expect((await ask(url)).status).toBe(404)
    expect((await (await filled(net, false)).ask(TALK)).status).toBe(404)
    expect(requests.length).toBe(1)
  })

  test.each(['text/html', 'image/svg+xml', 'application/json'])('is rejected as %s, without its body', async (type) => {
    const { net, requests } = fakeNet({ type })
    expect((await (await filled(net)).ask(TALK)).status).toBe(404)
    expect(requests[0]?.shouldSkipBody?.({ 'content-type': type })).toBe(true)
  })

  test('without a type of its own has that in the feed', async () => {
    const { ask } = await filled(fakeNet({ type: 'application/octet-stream' }).net)
    expect((await ask(TALK)).headers.get('content-type')).toBe('audio/mpeg')
    expect((await ask('https://talks.example/clip.ogg')).status).toBe(404)
  })

  test('that its server refuses is not found', async () => {
    expect((await (await filled(fakeNet({ status: 403 }).net)).ask(TALK)).status).toBe(404)
  })

  test('without ranges is loaded up to 8 MB', async () => {
    const small = recordingsOver(fakeNet({ isWhole: true }))
    expect(await bytesOf(await small.open(wanted, { from: 5, to: 9 }, 'u'))).toEqual(FILE.subarray(5, 10))
    const large = recordingsOver(fakeNet({ isWhole: true, file: new Uint8Array(MAX_WHOLE_BYTES + 1) }))
    expect(await large.open(wanted, { from: 0 }, 'u')).toMatchObject({ kind: 'none' })
  })

  test('is requested in parts of 1 MB, as they are read, and after a redirect at its target', async () => {
    const { net, requests } = fakeNet({ location: 'https://files.example/talk.mp3' })
    const opened = await recordingsOver({ net }).open(wanted, { from: 0 }, 'u')
    expect(requests.map(({ headers }) => headers?.range)).toEqual(['bytes=0-999999'])
    const reader = streamOf(opened).getReader()
    await reader.read()
    expect(requests.length).toBe(1)
    await reader.read()
    expect(requests.map(({ url }) => url)).toEqual([TALK, 'https://files.example/talk.mp3'])
    await reader.cancel()
  })
})

describe('streams of recordings', () => {
  test('are four per user; a fifth ends the oldest', async () => {
    const recordings = recordingsOver(fakeNet())
    const open = () => recordings.open(wanted, { from: 0 }, 'ada')
    const opened: OpenedRecording[] = []
    for (let i = 0; i <= MAX_STREAMS_PER_USER; i++) opened.push(await open())
    await expect(bytesOf(opened[0]!)).rejects.toThrow('the recording ended early')
    for (const one of opened.slice(1)) expect((await bytesOf(one)).length).toBe(FILE.length)
  })

  test('are 32 in total; further ones are rejected until one ends or is idle', async () => {
    const clock = createSteppedClock(0)
    const recordings = recordingsOver(fakeNet(), clock)
    const opened: OpenedRecording[] = []
    for (let i = 0; i < MAX_STREAMS; i++) opened.push(await recordings.open(wanted, { from: 0 }, `user ${i}`))
    expect(await recordings.open(wanted, { from: 0 }, 'late')).toEqual({ kind: 'busy' })
    await streamOf(opened[3]!).cancel()
    expect((await recordings.open(wanted, { from: 0 }, 'late')).kind).toBe('stream')
    await clock.advance(MINUTE + 1)
    const reader = streamOf(opened[0]!).getReader()
    await reader.read()
    expect((await recordings.open(wanted, { from: 0 }, 'later')).kind).toBe('stream')
    await reader.read()
    await expect(bytesOf(opened[1]!)).rejects.toThrow('the recording ended early')
  })
})

test('a stream ends when its client disconnects', async () => {
  const { net, requests } = fakeNet({ file: new Uint8Array(40 * PART_BYTES) })
  const { listen } = await filled(net)
  const { url, close } = await listen(0)
  const leaving = new AbortController()
  const path = `/api/v1/entries/1/recording?url=${encodeURIComponent(TALK)}`
  const response = await fetch(url + path, { signal: leaving.signal })
  await response.body!.getReader().read()
  expect(requests[0]?.signal?.aborted).toBe(false)
  leaving.abort()
  await expect.poll(() => requests[0]?.signal?.aborted, { timeout: 10_000 }).toBe(true)
  expect(requests.length).toBeLessThan(30)
  await close()
})

test('the content security policy allows recordings of publishers, or with --proxy-media only ours', async () => {
  const policyOf = async (proxyMedia: boolean) => {
    const { app } = createServerFixture({ proxyMedia })
    return (await app.request('/api/v1/session')).headers.get('content-security-policy')
  }
  expect(await policyOf(false)).toContain("media-src 'self' http: https:;")
  expect(await policyOf(true)).toContain("media-src 'self';")
})
