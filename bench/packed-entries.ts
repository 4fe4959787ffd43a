/**
 * What compressing long texts of old entries saves and costs: `node bench/packed-entries.ts [--entries 5000]`. The same store before and
 * after, read repeatedly: feeds of 20 entries, half of which contain whole articles of some six kilobytes of generated HTML, the others
 * only a summary. CPU of all threads.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { address } from '../src/model/address.fixture.ts'
import type { EntryDraft, EntryId } from '../src/model/index.ts'
import type { PollRecord, Store } from '../src/ports/index.ts'
import { openSqliteStore } from '../src/stores/index.ts'
import { commit } from './current-commit.ts'
import { feedFields } from './feed-fields.ts'
import { createProse } from './generated-prose.ts'

const START = 1_760_000_000_000
const HOUR = 3_600_000
const OF_A_FEED = 20
const PAGE = 50
const ROUNDS = 20

const { values } = parseArgs({ options: { entries: { type: 'string', default: '5000' } } })
const folder = mkdtempSync(join(tmpdir(), 'freshet-packed-'))
try {
  await measure(join(folder, 'store.db'), Math.ceil(Number(values.entries) / OF_A_FEED))
} finally {
  rmSync(folder, { recursive: true })
}

async function measure(file: string, feeds: number): Promise<void> {
  const { store } = openSqliteStore({ file, mode: 'write', now: () => START })
  const texts = await fill(store, feeds)
  const before = await look(store, file)
  const cpu = process.cpuUsage()
  while ((await store.compressEntries(START + HOUR, 200)) > 0);
  const { user, system } = process.cpuUsage(cpu)
  const after = await look(store, file)
  await store.close()

  console.log(`${feeds * OF_A_FEED} entries, ${texts} with a whole text, commit ${commit()}, node ${process.version}\n`)
  const line = (...cells: string[]) => console.log(cells.map((c, i) => (i ? c.padStart(12) : c.padEnd(38))).join(''))
  line('', 'as text', 'packed', 'of it')
  const row = (what: string, of: (one: Looked) => number, digits: number) =>
    line(
      what,
      of(before).toFixed(digits),
      of(after).toFixed(digits),
      `${((100 * of(after)) / of(before)).toFixed(0)} %`,
    )
  row('kB an entry', ({ bytes }) => bytes / feeds / OF_A_FEED / 1000, 2)
  row(`ms to read ${PAGE} entries of whole texts`, ({ whole }) => whole, 2)
  row(`ms to read ${PAGE} entries of summaries`, ({ brief }) => brief, 2)
  console.log(
    `\npacking took ${((user + system) / 1000 / texts).toFixed(2)} ms a text, once, most of it in other threads`,
  )
}

interface Looked {
  bytes: number
  whole: number
  brief: number
}

async function look(store: Store, file: string): Promise<Looked> {
  const db = new Database(file, { readonly: true })
  const bytes = db.prepare<[], number>("SELECT sum(pgsize) FROM dbstat WHERE name = 'entries'").pluck().get() ?? 0
  db.close()
  const ids = async (isWhole: boolean) => {
    const found: EntryId[] = []
    for await (const { id, content } of store.everyEntry({})) if ((content !== undefined) === isWhole) found.push(id)
    return found
  }
  return { bytes, whole: await pageMs(store, await ids(true)), brief: await pageMs(store, await ids(false)) }
}

/** The mean of several rounds over all entries. */
async function pageMs(store: Store, ids: EntryId[]): Promise<number> {
  const before = process.cpuUsage()
  let pages = 0
  for (let round = 0; round < ROUNDS; round++) {
    for (let from = 0; from < ids.length; from += PAGE, pages++) {
      const read = await store.entriesById(ids.slice(from, from + PAGE))
      if (read.includes(undefined)) throw new Error('an entry is gone')
    }
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / pages
}

/** The number of entries with a full text. */
async function fill(store: Store, feeds: number): Promise<number> {
  const prose = createProse(7)
  let texts = 0
  for (let i = 0; i < feeds; i++) {
    const host = `site-${i}.example`
    const whole = i % 2 === 0
    const feed = {
      url: address(`https://${host}/feed`),
      root: host,
      title: prose.words(3),
      ...feedFields(i),
      addedAt: START,
    }
    const schedule = { strategy: 'tide', memory: new Uint8Array(252), dueAt: START, failures: 0 } as const
    const [added] = await store.addFeeds([{ feed, schedule }])
    const fresh = Array.from({ length: OF_A_FEED }, (_, j): EntryDraft => {
      const url = `https://${host}/${j}`
      if (whole) texts++
      return {
        key: url,
        url,
        title: prose.words(9),
        summary: prose.words(26),
        ...(whole && { content: article(host) }),
      }
    })
    const result: PollRecord['poll']['result'] = {
      kind: 'read',
      fresh: OF_A_FEED,
      changed: 0,
      window: OF_A_FEED,
      gap: false,
    }
    const poll = { feedId: added!.id, at: START, tookMs: 87, bytes: 20_480, conditional: true, result }
    await store.recordPolls([{ poll, schedule: { ...schedule, polledAt: START }, fresh, changed: [] }])
  }
  return texts

  function article(host: string): string {
    const paragraph = () =>
      `<p class="wp-block-paragraph">${prose.words(40)} <a href="https://${host}/${prose.words(1)}" rel="noopener">${prose.words(3)}</a>, ${prose.words(50)}.</p>\n`
    return `${Array.from({ length: 8 }, paragraph).join('')}<p>The post appeared first on <a href="https://${host}/">${host}</a>.</p>`
  }
}
