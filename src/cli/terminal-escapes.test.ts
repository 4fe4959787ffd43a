/** Runs every command on a store in which every text attacks the terminal. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { EntryId } from '../model/index.ts'
import { articleOf, rawPage, want } from '../ports/article-samples.contract.ts'
import { joined, placed } from '../ports/group-samples.contract.ts'
import { addFeed, addSource, draft, failedRecord, newSchedule, record, START } from '../ports/store-samples.contract.ts'
import { openSqliteStore } from '../stores/index.ts'
import { runCommandLine } from './program.fixture.ts'

const ATTACK = 'x\u001b[2J\u001b]0;owned\u0007\u009b31m\u009d52;c;aGk=\u009c\r\u0008\u007f\u202eevil\u2066'
const FORGED = `${ATTACK}\nfreshet: all is well`
const SUCCESSOR = "https://gone.example/feed?$(id)'`id`"
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-terminal-'))
  const { store } = await openSqliteStore({ file: join(folder, 'test.db'), mode: 'write', now: () => START })
  const failure = { kind: 'not-a-feed', detail: FORGED } as const
  const feed = { title: FORGED, description: FORGED, folder: ATTACK, language: ATTACK }
  const good = await addFeed(store, 'good', feed)
  const bad = await addFeed(store, 'bad', { ...feed, successorUrl: address(SUCCESSOR) })
  const texts = { title: FORGED, author: FORGED, summary: ATTACK, content: `<p>${ATTACK}<p>&#27;[2J`, url: FORGED }
  const schedule = newSchedule({ strategy: 'fixed:1h', polledAt: START + 1, trouble: failure })
  await store.recordPolls([record(good, START + 1, { fresh: [draft('a', texts), draft('b', texts)], schedule })])
  const failed = failedRecord(bad, START + 1)
  await store.recordPolls([{ ...failed, poll: { ...failed.poll, result: { kind: 'failed', failure } }, schedule }])
  await store.recordSourceFailed(await addSource(store, 'somewhere'), failure, START)
  await store.queueArticles([want(1 as EntryId, 'good', 'a')], START + 2)
  const content = {
    text: FORGED,
    html: `<h2>${ATTACK}</h2><p>${ATTACK} &#27;[2J <b>x</b><pre>&#x9b;31m${ATTACK}</pre>`,
  }
  const facts = {
    title: FORGED,
    authors: [FORGED],
    siteName: FORGED,
    description: ATTACK,
    keywords: [ATTACK],
    words: 5,
  }
  const { id } = await articleOf(store, 1 as EntryId)
  const pageUrl = address('https://good.example/a')
  const page = rawPage(START + 2, 'bridge')
  await store.recordArticles([
    { id, at: START + 2, queueDueAt: START, result: { kind: 'read', pageUrl, facts, content, page } },
  ])
  const join2 = { copy: joined(1 as EntryId), story: joined(1 as EntryId) }
  await store.recordGroups([placed(1 as EntryId), placed(2 as EntryId, join2)], [], START)
  await store.close()
  await writeFile(
    join(folder, 'feed.xml'),
    `<rss version="2.0"><channel><title>&#x9b;31m\u202ea</title><item><title>${ATTACK.slice(1, 2)}b\u0085</title><link>https://x.example/\u009b</link></item></channel></rss>`,
  )
  await writeFile(
    join(folder, 'page.html'),
    `<title>${ATTACK}</title><article><h1>${ATTACK}</h1><p>${WORDS}${ATTACK}<pre>${ATTACK}</pre>`,
  )
  await writeFile(join(folder, 'no-feed.txt'), FORGED)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const WORDS = 'The town council votes on the new bridge over the river next week, said the mayor on Monday. '.repeat(20)

const run = (words: string[], columns?: number) =>
  runCommandLine(
    words.map((word) => word.replace('HERE', folder)),
    { environment: { FRESHET_STORE: join(folder, 'test.db') }, columns, now: () => START + 5000 },
  )

const COMMANDS = [
  ...['feeds', 'feeds --failing', 'entries', 'status', 'status --stats', 'audit', 'goal', 'stories', 'stories g1'],
  ...['show 1', 'show 2', 'show e1', 'show e2', 'copies e1', 'read e1', 'read e2', 'show evil', 'config'],
  ...[
    'parse HERE/feed.xml',
    'parse HERE/no-feed.txt',
    'extract HERE/page.html',
    'pause 1',
    'resume 1',
    'edit 1 --folder x',
  ],
]
const JSONS = [
  ...[
    'feeds',
    'entries',
    'status',
    'audit',
    'goal',
    'stories',
    'stories g1',
    'show 1',
    'show e1',
    'copies e1',
    'read e1',
  ],
  ...['parse HERE/feed.xml', 'extract HERE/page.html'],
].map((words) => `${words} --json`)
const DOCUMENTS = [
  ...['export opml', 'export feeds', 'export entries', 'export articles', 'export polls', 'export --markdown'],
  ...['export --html', 'extract HERE/page.html --html', 'extract HERE/page.html --markdown', ...JSONS],
]

const REFUSED = ['show evil']

describe('untrusted text', () => {
  it.each([...COMMANDS, ...DOCUMENTS])('has no control sequences on a terminal: %s', async (words) => {
    const { code, out, notes } = await run(words.split(' '), 80)
    expect(code).toBe(REFUSED.includes(words) ? 2 : /no-feed/.test(words) ? 1 : 0)
    const shown = `${out.join('\n')}\n${notes}`.replaceAll(/\u001b\[[01]m/g, '')
    expect(shown).not.toMatch(OBEYED)
    expect(shown.length).toBeGreaterThan(10)
  })

  it.each(COMMANDS)('starts no line of its own: %s', async (words) => {
    const { out, notes } = await run(words.split(' '))
    const lines = [...out, notes].join('\n').split('\n')
    const texts = /^(show e|extract)/.test(words)
    if (!texts) expect(lines.filter((line) => line === 'freshet: all is well')).toEqual([])
  })

  it.each(DOCUMENTS)('has no control characters in a pipe: %s', async (words) => {
    const { out } = await run(words.split(' '))
    expect(out.join('\n')).not.toMatch(CONTROL)
  })

  it('is unchanged in JSON', async () => {
    const { out } = await run(['entries', '--json'])
    expect(JSON.parse(out[0]!).title).toContain('\u202eevil')
  })

  it('is quoted for the shell in suggested commands', async () => {
    const { out } = await run(['show', '2'])
    expect(out.join('\n')).toContain(`freshet edit 2 --url 'https://gone.example/feed?$(id)'\\''\`id\`'`)
  })
})
