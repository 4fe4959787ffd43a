import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../model/index.ts'
import { addFeed, draft, record, START } from '../ports/store-samples.contract.ts'
import { openSqliteStore } from '../stores/index.ts'
import { runCommandLine } from './program.fixture.ts'

let folder: string
let village: string
const at = (name: string) => join(folder, name)

/** Ten days after the end of the poll log. */
const lab = (...words: string[]) =>
  runCommandLine(['lab', ...words], { environment: { FRESHET_STORE: at('test.db') }, now: () => START + 30 * DAY })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-lab-'))
  village = at('village.ndjson.gz')
  await lab('village', village, '--feeds', '20', '--days', '60')
  const { store } = openSqliteStore({ file: at('test.db'), mode: 'write', now: () => START })
  const feedId = await addFeed(store, 'gazette')
  for (let hour = 0; hour < 20 * 24; hour += 2)
    await store.recordPolls([
      record(feedId, START + hour * HOUR, {
        fresh: [draft(`${hour}`, { publishedAt: START + hour * HOUR - 5 * MINUTE })],
      }),
    ])
  await store.close()
})
afterAll(() => rm(folder, { recursive: true }))

const quick = ['--strategy', 'moving-average,sqrt-rate', '--workers', '1']

describe('freshet lab', () => {
  it('creates invented traces, and replays them', async () => {
    const { code, out } = await lab('replay', '--traces', village, ...quick)
    expect(code).toBe(0)
    const text = out.join('\n')
    expect(text).toMatch(/^\d+ feeds, [\d,]+ entries in 21 days/)
    expect(text).toMatch(/^moving-average +\S+ +\d+\.\d\d +[\d,]+ /m)
    expect(text).toMatch(/All with the same budget: the polls of moving-average, [\d,]+ a day/)
    expect(text).toMatch(/No strategy can do better than: .* with these polls/)
    expect(text).toMatch(/met as it goes, without hindsight, by the scheduler of the crawl\nstrategy .*first 1 day/)
  })

  it('writes results as JSON and HTML, reproducibly with the same seed', async () => {
    const words = ['replay', '--traces', village, '--strategy', 'fixed', '--budget', '100/d', '--seed', '4']
    const first = await lab(...words, '--json', at('lab.json'), '--report', at('lab.html'))
    expect(first).toMatchObject({ code: 0, notes: expect.stringMatching(/lab\.json: .*\n.*lab\.html: open it/) })
    const found = JSON.parse(await readFile(at('lab.json'), 'utf8'))
    expect(found.budgets[0]).toMatchObject({ name: '100/d', pollsPerDay: 100 })
    expect(await readFile(at('lab.html'), 'utf8')).toMatch(/^<!doctype html>/)
    expect(first.out.join('\n')).toMatch(/Pending articles of \d+ sources, \d+ retrieved every 8m/)
    const again = JSON.parse((await lab(...words, '--json', '-')).out.join(''))
    expect(again.own).toEqual(found.own)
  })

  it('accepts a list in one flag or in several', async () => {
    const names = async (...words: string[]) => {
      const { out } = await lab('replay', '--traces', village, ...words, '--json', '-')
      return JSON.parse(out.join('')).own.map(({ strategy }: { strategy: string }) => strategy)
    }
    expect(await names('--strategy', 'fixed:1h', '--strategy', 'moving-average')).toEqual([
      'fixed:1h',
      'moving-average',
    ])
  })

  it('records one CSV per feed, and replays the folder', async () => {
    expect(await lab('record', '--tudcs', at('recorded'))).toMatchObject({
      code: 0,
      notes: expect.stringMatching(/recorded: 1 feed written/),
    })
    const [name] = await readdir(at('recorded'))
    expect(name).toMatch(/^\d+_gazette\.example_feed\.xml\.csv$/)
    const rows = (await readFile(join(at('recorded'), name!), 'utf8')).trim().split('\n')
    expect(rows).toHaveLength(240)
    expect(rows[0]).toMatch(/^\d{13};\d{13};[0-9a-f]{40};".+";".+";10;4096;$/)
    const short = ['--warmup', '5d', '--score', '10d']
    const { code, out } = await lab('replay', '--traces', at('recorded'), ...quick, ...short)
    expect(code).toBe(0)
    expect(out.join('\n')).toMatch(/^1 feed, 120 entries in 10 days/)
  })

  it('backtests the history of a store, and records it as traces', async () => {
    const { code, out } = await lab('backtest', ...quick)
    expect(code).toBe(0)
    expect(out.join('\n')).toMatch(/As it was: 12 requests a day, 5m per item/)
    expect(await lab('record', at('mine.ndjson'))).toMatchObject({
      code: 0,
      notes: expect.stringMatching(/1 feed written/),
    })
    const [line] = (await lab('record', '-')).out
    expect(JSON.parse(line!)).toMatchObject({
      feed: 'https://gazette.example/feed.xml',
      window: 10,
      bytes: 4096,
      n: 240,
    })
    const replayed = await lab('replay', '--traces', at('mine.ndjson'), '--warmup', '3d', '--score', '10d', ...quick)
    expect(replayed.out[0]).toMatch(/^1 feed, 120 entries in 10 days/)
  })

  it('works while a crawl is running', async () => {
    const { store } = openSqliteStore({ file: at('test.db'), mode: 'write', now: () => START })
    try {
      expect((await lab('backtest', '--strategy', 'fixed')).code).toBe(0)
    } finally {
      await store.close()
    }
  })

  it('reports repaired and rejected traces', async () => {
    const good = (await lab('village', '-', '--feeds', '2', '--days', '60')).out
    await writeFile(at('odd.ndjson'), [...good, 'nonsense', '{"feed":"e","times":[]}'].join('\n'))
    const { code, notes } = await lab('replay', '--traces', at('odd.ndjson'), ...quick)
    expect(code).toBe(0)
    expect(notes).toMatch(/odd\.ndjson:3 is not JSON; refused\n.*odd\.ndjson:4 has no entries; refused/)
  })

  it('stops when it is interrupted, and leaves no file behind', async () => {
    const words = ['lab', 'replay', '--traces', village, '--json', at('none.json')]
    const ran = await runCommandLine(words, { environment: {}, interrupted: AbortSignal.abort() })
    expect(ran).toMatchObject({ code: 1, notes: expect.stringMatching(/stopped; nothing was written/) })
    expect(existsSync(at('none.json'))).toBe(false)
  })

  it.each([
    ['replay without traces', ['replay'], /--traces or --warc is required/],
    ['traces that are not there', ['replay', '--traces', 'none.gz'], /none\.gz cannot be read[\s\S]*hint: /],
    [
      'an unknown strategy',
      ['replay', '--traces', '?', '--strategy', 'hope'],
      /unknown strategy "hope"\nhint: available/,
    ],
    ['a strange budget', ['replay', '--traces', '?', '--budget', 'much'], /--budget cannot be "much"\nhint: expected/],
    ['a budget after nobody', ['replay', '--traces', '?', '--budget', 'match:hope'], /unknown strategy "hope"/],
    ['a strange warm-up', ['replay', '--traces', '?', '--warmup', 'soon'], /--warmup cannot be "soon"\nhint: expected/],
    ['nothing to score', ['replay', '--traces', '?', '--score', '1h'], /--score cannot be "1h"\nhint: .*at least 1d/],
    ['a strange seed', ['replay', '--traces', '?', '--seed', 'x'], /--seed cannot be "x"/],
    ['a thousand threads', ['replay', '--traces', 'VILLAGE', '--workers', '1000'], /--workers cannot be 1000/],
    [
      'histories that are too short',
      ['replay', '--traces', 'VILLAGE', '--score', '100d'],
      /no history is as long as .* 114 days\nhint: the longest has \d+ days/,
    ],
    [
      'a report nowhere',
      ['replay', '--traces', 'VILLAGE', '--strategy', 'fixed', '--json', '/none/x.json'],
      /x\.json could not be written[\s\S]*hint: /,
    ],
    ['a strange past', ['backtest', '--last', 'long'], /--last cannot be "long"/],
    ['all warm-up', ['backtest', '--warmup', '80d'], /all warm-up\nhint: /],
    ['a past too short', ['backtest', '--last', '1d'], /less than a day/],
    ['a county of nobody', ['village', '-', '--feeds', '0'], /--feeds cannot be 0\nhint: expected/],
    ['a county without days', ['village', '-', '--days', '99999'], /--days cannot be 99999/],
    ['a record nowhere', ['record', '/none/x.gz'], /x\.gz could not be written/],
    ['a record of nothing named', ['record'], /missing required argument 'file'/],
    ['an experiment that is none', ['explode'], /unknown command 'explode'/],
  ])('rejects %s with a message and a hint', async (_, words, message) => {
    const { code, notes } = await lab(...words.map((word) => (word === 'VILLAGE' ? village : word)))
    expect(notes).toMatch(message)
    expect(code).toBe(2)
    expect(notes).not.toMatch(/\n\s+at /)
  })

  it('needs a store for backtests and recordings', async () => {
    for (const words of [['backtest'], ['record', '-']]) {
      const { code, notes } = await lab(...words, '--store', at('none.db'))
      expect(notes).toMatch(/none\.db[\s\S]*hint: /)
      expect(code).toBe(3)
    }
  })

  it('has help with examples for each subcommand', async () => {
    for (const command of ['replay', 'backtest', 'record', 'village'])
      expect((await lab(command, '--help')).out.join('\n')).toMatch(
        new RegExp(`Examples:\\n  \\$ freshet lab ${command}`),
      )
  })
})
