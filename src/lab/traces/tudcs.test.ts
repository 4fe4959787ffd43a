import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, SECOND } from '../../model/index.ts'
import { readTraces } from './read-traces.ts'
import { createTudcsReader, MISS_LINE, tudcsLine } from './tudcs.ts'

const NOW = Date.UTC(2026, 5, 1)
const THEN = Date.UTC(2011, 6, 9)
const item = (n: number, more: object = {}) =>
  tudcsLine({ publishedAt: THEN + n * HOUR, polledAt: THEN + n * HOUR + 5 * SECOND, hash: 'ab', window: 15, ...more })

function read(...lines: string[]) {
  const reader = createTudcsReader('7_a', NOW)
  for (const line of lines) reader.addLine(line)
  return reader.end()
}

describe('a CSV of TUDCS', () => {
  it('has the columns of the published datasets, followed by the bytes', () => {
    expect(item(0, { title: 'A "b"\n c', link: 'http://a.example/' })).toBe(
      `${THEN};${THEN + 5000};ab;"A 'b' c";"http://a.example/";15;`,
    )
    expect(item(0, { publishedAt: undefined, bytes: 900 })).toBe(
      `0000000000000;${THEN + 5000};ab;"no title";"no link";15;900;`,
    )
  })

  it('is read unchanged if valid', () => {
    const { trace, messages } = read(item(1, { bytes: 900 }), item(0), item(2, { bytes: 1000, title: '3;4;"5;' }))
    expect(messages).toEqual([])
    expect(trace).toEqual({
      feed: '7_a',
      kind: 'other',
      source: 'tudcs',
      window: 15,
      bytes: 1000,
      published: Float64Array.of(THEN, THEN + HOUR, THEN + 2 * HOUR),
    })
  })

  it.each([
    ['misses', [item(0), MISS_LINE, item(1)], 2, /says 1 times that items may be missing/],
    [
      'no date',
      [item(0, { publishedAt: undefined }), item(1)],
      2,
      /1 items without a date; when they were found counts/,
    ],
    ['a date after the poll', [item(0, { publishedAt: THEN + 9 * HOUR })], 1, /^$/],
    [
      'the future',
      [item(0), item(1, { publishedAt: NOW + 9 * HOUR, polledAt: NOW + 9 * HOUR })],
      1,
      /1 items in the future/,
    ],
    ['no window', [`${THEN};"a";"b"`], 1, /how many entries it shows; taken for 20/],
    ['titles over several lines', [`${THEN};${THEN};ab;"one`, 'two', '";"http://a.example/";15;'], 1, /taken for 20/],
  ])('with %s is read, with a message', (_, lines, items, words) => {
    const { trace, messages } = read(...lines)
    expect(trace?.published).toHaveLength(items)
    expect(trace?.published.every((at) => at <= THEN + HOUR + 5 * SECOND)).toBe(true)
    expect(messages.join('; ')).toMatch(words)
  })

  it('without an item is rejected', () => {
    expect(read('a;b', '', MISS_LINE)).toEqual({ messages: ['has no item'] })
  })

  it('accepts any input', () => {
    fc.assert(fc.property(fc.array(fc.string()), (lines) => void read(...lines)))
  })
})

describe('a folder', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'freshet-tudcs-'))
    await mkdir(join(folder, '0', '7'), { recursive: true })
    await writeFile(join(folder, '0', '7', '7_a.csv'), `${item(0)}\n${item(1)}\n`)
    await writeFile(join(folder, '9_b.csv.gz'), gzipSync(`${item(0)}\n`))
    await writeFile(join(folder, '8_c.csv'), 'nothing\n')
    await writeFile(join(folder, 'README'), 'no trace')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('yields a trace for each CSV at any depth, compressed or not', async () => {
    const { traces, files, messages } = await readTraces([folder], NOW, () => {})
    expect(traces.map(({ feed, published }) => [feed, published.length])).toEqual([
      ['7_a', 2],
      ['9_b', 1],
    ])
    expect(files).toEqual([{ file: folder, feeds: 2, repaired: 0, refused: 1 }])
    expect(messages).toEqual([expect.stringMatching(/8_c\.csv has no item; refused$/)])
  })

  it('may be one file, and is rejected with a message if empty', async () => {
    expect((await readTraces([join(folder, '9_b.csv.gz')], NOW, () => {})).traces).toHaveLength(1)
    await expect(readTraces([join(folder, '8_c.csv')], NOW, () => {})).rejects.toThrow(/no trace that can be used/)
  })
})
