import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SECOND } from '../../model/index.ts'
import { readTraces } from './read-traces.ts'
import { readTraceLine, type Trace, traceLine } from './trace.ts'

const NOW = Date.UTC(2026, 5, 1)
const THEN = Date.UTC(2026, 0, 1) / SECOND
const line = (more: object) => JSON.stringify({ feed: 'f', kind: 'news', source: 's', window: 10, n: 3, ...more })
const good = line({ times: [THEN, 60, 0] })

describe('a line', () => {
  it('is read unchanged if valid', () => {
    const { trace, messages } = readTraceLine(good, NOW)
    expect(messages).toEqual([])
    expect(trace).toEqual({
      feed: 'f',
      kind: 'news',
      source: 's',
      window: 10,
      published: Float64Array.of(THEN, THEN + 60, THEN + 60).map((at) => at * SECOND),
    })
  })

  it.each([
    ['times that go backwards', { times: [THEN, 100, -40] }, 3, /1 time went backwards; sorted/],
    ['times in the future', { times: [THEN, 60, 1e9] }, 2, /1 entry in the future, the first in 2057; left out$/],
    ['milliseconds', { times: [THEN, 60, 1000 * THEN] }, 2, /left out; are they milliseconds\?/],
    ['a wrong count', { times: [THEN] }, 1, /says it has 3 entries and has 1; counted/],
    ['no window', { window: undefined, times: [THEN, 60, 0] }, 3, /how many entries it shows; taken for 20/],
    ['a window of nothing', { window: 0, times: [THEN, 60, 0] }, 3, /taken for 20/],
    ['a window without end', { window: 1e9, times: [THEN, 60, 0] }, 3, /shows 1000000000 entries at once; taken for/],
    ['a million items', { n: 1_000_000, times: [THEN, ...Array(999_999).fill(1)] }, 500_000, /the newest 500000 kept/],
  ])('with %s is repaired, with a message', (_, more, items, words) => {
    const read = readTraceLine(line(more), NOW)
    expect(read.messages.join('; ')).toMatch(words)
    expect(read.trace?.published).toHaveLength(items)
    expect(read.trace?.published.toSorted()).toEqual(read.trace?.published)
  })

  it.each([
    ['no JSON', '{"feed":', /not JSON/],
    ['a list', '[1, 2]', /no JSON object/],
    ['null', 'null', /no JSON object/],
    ['no times', line({}), /no list of times/],
    ['an empty list', line({ times: [] }), /no entries/],
    ['only the future', line({ n: 1, times: [4e9] }), /1 entry in the future/],
    ['words for times', line({ times: [THEN, 'noon'] }), /time no. 2 is no number/],
    ['nothing for a time', line({ times: [null] }), /time no. 1 is no number/],
    ['times before there were any', line({ times: [-5] }), /before 1970/],
  ])('with %s is rejected', (_, text, words) => {
    const read = readTraceLine(text, NOW)
    expect(read.trace).toBeUndefined()
    expect(read.messages.join()).toMatch(words)
  })

  it('round-trips', () => {
    const gaps = fc.array(fc.nat(1e6), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1, max: 100 }),
        fc.option(fc.integer({ min: 1 }), { nil: undefined }),
        (deltas, window, bytes) => {
          let at = THEN
          const published = Float64Array.from(deltas, (delta) => {
            at += delta
            return at * SECOND
          })
          const trace: Trace = { feed: 'ü "x"', kind: 'blog', source: '', window, published, ...(bytes && { bytes }) }
          expect(readTraceLine(traceLine(trace), Number.POSITIVE_INFINITY)).toEqual({ trace, messages: [] })
        },
      ),
    )
  })
})

describe('a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'freshet-traces-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function read(...contents: (string | Uint8Array)[]) {
    const files = contents.map((_, i) => join(folder, `${i}.ndjson.gz`))
    for (const [i, content] of contents.entries()) await writeFile(files[i]!, content)
    return readTraces(files, NOW, () => {})
  }
  const rejection = (reading: Promise<unknown>) =>
    reading.then(
      () => 'was read',
      (error: Error) => error.message,
    )

  it('may be compressed or not, regardless of its name', async () => {
    const { traces, files, messages } = await read(gzipSync(`${good}\n${good}\n`), good)
    expect(traces.map(({ feed }) => feed)).toEqual(['f', 'f #2', 'f #3'])
    expect(files.map(({ feeds, refused, repaired }) => [feeds, refused, repaired])).toEqual([
      [2, 0, 0],
      [1, 0, 0],
    ])
    expect(messages).toEqual([])
  })

  it('is read without its invalid lines, which are reported', async () => {
    const { traces, files, messages } = await read(`${good}\nnonsense\n\n${line({ times: [THEN, -1, 5] })}\r\n`)
    expect(traces).toHaveLength(2)
    expect(files[0]).toMatchObject({ feeds: 2, refused: 1, repaired: 1 })
    expect(messages).toEqual([
      expect.stringMatching(/0\.ndjson\.gz:2 is not JSON; refused$/),
      expect.stringMatching(/0\.ndjson\.gz:4 \(f\) 1 time went backwards; sorted$/),
    ])
  })

  it('yields the traces before a truncation', async () => {
    const whole = gzipSync(
      Array.from({ length: 2000 }, (_, i) => line({ feed: `f${i}`, times: [THEN, i, 7 * i] })).join('\n'),
    )
    const { traces, messages } = await read(whole.subarray(0, whole.length / 2))
    expect(traces.length).toBeGreaterThan(100)
    expect(traces.length).toBeLessThan(2000)
    expect(messages.at(-1)).toMatch(/breaks off \(unexpected end of file\); the \d+ feeds before that are used/)
  })

  it('yields the traces before damaged compression', async () => {
    const packed = Buffer.from(gzipSync(Array(50_000).fill(good).join('\n'), { level: 0 }))
    packed[packed.length - 100_000]! ^= 0xff
    packed.fill(0xff, packed.length - 90_000, packed.length - 80_000)
    const { traces, messages } = await read(packed)
    expect(traces.length).toBeGreaterThan(1000)
    expect(messages.length).toBeGreaterThan(0)
  })

  it.each([
    ['an empty one', '', /has no trace that can be used$/],
    ['text', 'Dear reader,\nthis is no trace.\n', /no trace that can be used: .*:2 is not JSON/],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), /is not JSON/],
    ['a packed picture', gzipSync(Buffer.alloc(1e6, 0xd8)), /is not JSON/],
    ['endless nonsense', 'x\n'.repeat(100_000), /:100 is not JSON/],
    ['a line that is too long', `{"feed":"${'x'.repeat(33e6)}"}`, /longer than 32 MB/],
  ])('that is %s is rejected', async (_, content, words) => {
    expect(await rejection(read(content))).toMatch(words)
  })

  it('that is missing, or a folder without histories, is rejected with its name', async () => {
    expect(await rejection(readTraces([join(folder, 'none')], NOW, () => {}))).toMatch(/none cannot be read: ENOENT/)
    expect(await rejection(readTraces([folder], NOW, () => {}))).toMatch(/has no trace that can be used/)
  })
})
