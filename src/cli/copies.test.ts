/** Commands about copies and stories, on a store with known content. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultConfig, openCrawl } from '../app/index.ts'
import { createSteppedClock } from '../clocks/index.ts'
import { address } from '../model/address.fixture.ts'
import { type EntryDraft, type FeedId, HOUR, MINUTE } from '../model/index.ts'
import type { Terminal } from './io.ts'
import { runProgram } from './program.ts'

const NOW = Date.UTC(2026, 2, 14, 12)
const LEAD =
  'The council of Port Else voted on Monday to build a tram line from market to port, ending a quarrel of nine years.'
const nobody = () => Promise.reject(new Error('nobody goes out'))
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-copies-'))
  const crawl = await openCrawl(
    { ...defaultConfig(), store: join(folder, 'test.db') },
    {
      clock: createSteppedClock(NOW),
      net: { get: nobody, post: nobody, close: async () => {} },
    },
  )
  const feeds = await crawl.store.addFeeds(
    ['The Wire', 'The Post', 'The Mirror'].map((title) => ({
      feed: {
        url: address(`https://${title.slice(4).toLowerCase()}.example/feed`),
        root: 'example',
        title,
        validators: {},
        subscribers: 1,
        state: 'active',
        addedAt: NOW,
      },
      schedule: { strategy: 'fixed:1h', memory: new Uint8Array(), dueAt: NOW + HOUR, failures: 0 },
    })),
  )
  const say = async (feed: number, ...fresh: EntryDraft[]) => {
    const feedId = feeds[feed]!.id as FeedId
    const result = { kind: 'read', fresh: fresh.length, changed: 0, window: fresh.length, gap: false } as const
    await crawl.store.recordPolls([
      {
        poll: { feedId, at: NOW - MINUTE, tookMs: 50, bytes: 1000, conditional: false, result },
        schedule: { strategy: 'fixed:1h', memory: new Uint8Array(), dueAt: NOW + HOUR, failures: 0 },
        fresh,
        changed: [],
      },
    ])
  }
  const entry = (key: string, title: string, summary: string, agoMs: number): EntryDraft => {
    return { key, title, summary, publishedAt: NOW - agoMs }
  }
  await say(
    0,
    entry('a', 'Council approves tram line', LEAD, 5 * HOUR),
    entry('f', 'Flood in Varnby leaves hundreds homeless', '', 4 * HOUR),
  )
  await say(1, entry('b', 'Trams for Port Else', LEAD.replace('nine years', 'ten long years'), 3 * HOUR))
  await say(
    2,
    entry('c', 'Council approves tram line', `${LEAD} More follows.`, 2 * HOUR),
    entry('g', 'Hundreds homeless after flood hits Varnby', '', HOUR),
  )
  await crawl.crawler.runOnce(new AbortController().signal)
  await crawl.close(0)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const freshet = (...words: string[]) => freshetWhile(new AbortController().signal, ...words)

async function freshetWhile(
  interrupted: AbortSignal,
  ...words: string[]
): Promise<{ code: number; out: string; lines: string[]; notes: string }> {
  const lines: string[] = []
  const notes: string[] = []
  const io: Terminal = {
    out: (line) => lines.push(line),
    outWhenReady: async (line) => void lines.push(line),
    note: (line) => notes.push(line),
    stdin: async function* () {},
    environment: { FRESHET_STORE: join(folder, 'test.db') },
    columns: undefined,
    drawsProgress: false,
    now: () => NOW,
    interrupted,
  }
  const code = await runProgram(words, io)
  return { code, out: lines.join('\n'), lines, notes: notes.join('\n') }
}

const rows = (lines: string[]) => lines.map((line) => JSON.parse(line))

describe('the command line', () => {
  it('lists the largest stories first, and shows the entries of one', async () => {
    const { out } = await freshet('stories')
    expect(out).toMatch(/^story +entries +first +last +feed +title\n/)
    expect(out).toMatch(/2 +4h ago +1h ago +The Wire +Flood in Varnby leaves hundreds homeless/)
    const stories = rows((await freshet('stories', '--json', '--recent')).lines)
    expect(stories[0]).toMatchObject({ level: 'story', size: 2, primary: { feedTitle: 'The Wire' } })
    expect(rows((await freshet('stories', '--json', '--since', '90m')).lines)).toHaveLength(1)
    const one = (await freshet('stories', `g${stories[0].id}`)).out
    expect(one).toMatch(/^g\d+ {2}Flood in Varnby.*\nstory: 2 entries, from .*; primary e2\n/)
    expect(one).toMatch(/e5 +3h +\d+ +The Mirror +Hundreds homeless.* +speaks of .*, like 1 other/)
    const [copies] = rows((await freshet('stories', '--copies', '--json')).lines)
    expect(copies).toMatchObject({ level: 'copy', size: 3 })
    expect(await freshet('stories', 'g999')).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/no story "g999"\nhint/),
    })
    expect((await freshet('stories', '--min-size', '9')).notes).toMatch(/no stories since then/)
  })

  it('shows the first publisher, the copies, and their changes', async () => {
    const { out } = await freshet('copies', 'e4')
    expect(out).toMatch(/^e1 {2}The Wire: Council approves tram line\n {2}first, 2026-03-14T07:00:00.000Z\n/)
    expect(out).toMatch(
      /\ne3 {2}The Post: \[-Council approves tram line-\] \{\+Trams for Port Else\+\}\n {2}2h later, from e1/,
    )
    expect(out).toContain('ending a quarrel of [-nine-] {+ten long+} years.')
    expect(out).toMatch(/\ne4 {2}The Mirror: .*\n {2}3h later, from e1 .*same text/)
    expect(out).toMatch(/quarrel of nine years\. \{\+More follows\.\+\}/)
    const [lineage] = rows((await freshet('copies', '1', '--json')).lines)
    expect(lineage).toMatchObject({
      first: { id: 1, feedTitle: 'The Wire', copies: 2 },
      group: { size: 3, level: 'copy' },
      followers: [
        { afterMs: 2 * HOUR, from: 1, reason: 'same text but for 1 word, under another headline' },
        { afterMs: 3 * HOUR },
      ],
      more: false,
    })
    expect((await freshet('copies', 'e2')).out).toMatch(/first, .*\n {2}no copies/)
    expect(await freshet('copies', 'x')).toMatchObject({ code: 2, notes: expect.stringMatching(/no entry "x"/) })
  })

  it('lists and exports each text once with --unique', async () => {
    const listed = async (...words: string[]) => rows((await freshet(...words)).lines)
    expect(await listed('entries', '--json')).toHaveLength(5)
    const unique = await listed('entries', '--json', '--unique')
    expect(unique.map(({ id }) => id).sort()).toEqual([1, 2, 5])
    expect(unique.find(({ copies }) => copies)).toMatchObject({ copies: 2 })
    expect(await listed('entries', '--json', '--unique', 'story')).toHaveLength(2)
    expect(await listed('export', 'entries', '--unique')).toHaveLength(3)
    const exported = await listed('export', 'entries')
    expect(exported.filter(({ copyOf }) => copyOf)).toHaveLength(2)
    expect(await listed('entries', 'council', 'tram', '--json', '--unique', 'none')).toHaveLength(3)
    expect(await listed('entries', 'council', 'tram', '--json', '--unique')).toHaveLength(1)
    expect(await listed('entries', 'council', 'tram', '--json')).toHaveLength(3) // every hit, unless told
    const folded = await freshet('entries', 'council', 'tram', '--json', '--unique', 'story')
    expect(folded.lines).toHaveLength(1)
    expect(folded.notes).toMatch(/3 hits, 2 folded into others of their story \(--unique none lists them\)/)
    expect((await freshet('entries', 'council', 'tram', '--limit', '1')).notes).toMatch(/3 hits, 1 listed \(--limit/)
    expect((await freshet('entries', 'nothinglikeit')).notes).not.toMatch(/hits/)
    expect((await freshet('entries')).out).toMatch(/\(a copy of e\d\)[\s\S]*\(\+2\)/)
    expect(await freshet('entries', '--unique', 'soul')).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/hint: expected no value, or one of: copy, story/),
    })
  })

  it('counts entries and copies by feed and by hour', async () => {
    const { out } = await freshet('status', '--stats', '--since', '24h')
    expect(out).toMatch(
      /^since 2026-03-13T12:00:00.000Z\n5 entries, 2 of them copies \(40 %\); \d stor(y|ies) with several entries\n/,
    )
    expect(out).toMatch(/3 polls, 0 failed; 3.0 kB in 150ms/)
    expect(out).toMatch(/feed +entries +copies +share +title\n +\d +2 /)
    expect(out).toMatch(/\n07:00 +1 +[01] +.*#/)
    const [status] = rows((await freshet('status', '--stats', '--json')).lines)
    expect(status.statistics).toMatchObject({ entries: 5, copies: 2, share: 0.4 })
    expect(status.statistics.byHour).toHaveLength(24)
    expect(rows((await freshet('status', '--json')).lines)[0].statistics).toBeUndefined()
  })

  it('regroups entries under other settings', async () => {
    const regroup = (...words: string[]) => freshet('regroup', '--group-window', '365d', ...words)
    expect((await regroup('--stories', 'off', '--copy-threshold', '1')).out).toBe('grouped 5 entries again')
    expect((await freshet('stories')).notes).toMatch(/no stories since then/)
    const [copies] = rows((await freshet('stories', '--copies', '--json')).lines)
    expect(copies).toMatchObject({ size: 2, primary: { id: 1 } })
    expect((await regroup()).code).toBe(0)
    const [all] = rows((await freshet('stories', '--copies', '--json')).lines)
    expect(all).toMatchObject({ size: 3, primary: { id: 1 } })
    expect(rows((await freshet('stories', '--json')).lines)).not.toEqual([])
    expect(await freshet('regroup', '--group-window', 'x')).toMatchObject({ code: 2 })
    expect(await freshet('regroup', '--store', join(folder, 'none.db'))).toMatchObject({ code: 3 })
  })

  it('continues an interrupted regrouping', async () => {
    const stopped = await freshetWhile(AbortSignal.abort(), 'regroup', '--group-window', '365d')
    expect(stopped.out).toBe('interrupted; continue with freshet regroup --continue')
    const goneOn = await freshet('regroup', '--continue', '--group-window', '365d')
    expect(goneOn.out).toBe('grouped the waiting entries again')
    expect(rows((await freshet('stories', '--copies', '--json')).lines)[0]).toMatchObject({ size: 3 })
  })

  it('links an entry to its copies and its story', async () => {
    const { out } = await freshet('show', 'e1')
    expect(out).toMatch(/copies +2 copies: freshet copies e1/)
    expect((await freshet('show', 'e2')).out).toMatch(/story +2 entries: freshet stories g\d/)
  })
})
