/** Labels and rules on the command line. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defaultConfig, openCrawl } from '../app/index.ts'
import type { FeedId } from '../model/index.ts'
import { draft, record, START } from '../ports/store-samples.contract.ts'
import { runCommandLine } from './program.fixture.ts'

let folder: string
let store: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-rule-'))
  store = join(folder, 'test.db')
  const crawl = await openCrawl({ ...defaultConfig(), store, port: 0 })
  await crawl.crawler.subscribe([{ url: 'https://a.example/feed', kind: 'feed', folder: 'News' }])
  const fresh = ['Flood', 'Sponsored boots', 'Ferry'].map((title, i) => draft(`a${i}`, { title }))
  await crawl.store.recordPolls([record(1 as FeedId, START, { fresh })])
  await crawl.close()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const freshet = (...words: string[]) => runCommandLine(words, { environment: { FRESHET_STORE: store } })

it('labels entries, lists, renames and removes labels', async () => {
  expect((await freshet('label')).notes).toContain('no labels')
  expect((await freshet('label', 'add', 'later', 'e1', '3')).out).toEqual(['2 entries labeled later'])
  expect((await freshet('label', 'drop', 'LATER', 'e3')).out).toEqual(['1 entry no longer labeled LATER'])
  expect((await freshet('label', 'rename', 'later', 'Read later')).code).toBe(0)
  expect(JSON.parse((await freshet('label', '--json')).out.join(''))).toEqual({
    labels: [{ name: 'Read later', entries: 1 }],
  })
  expect((await freshet('entries', '--json', '--limit', '1')).code).toBe(0)
  expect((await freshet('label', 'remove', 'read later')).code).toBe(0)
  const again = await freshet('label', 'remove', 'read later')
  expect(again.notes).toContain('no label of this name')
  expect(again.notes).toContain('freshet label list')
  expect((await freshet('label', 'add', '', 'e1')).code).not.toBe(0)
})

it('names entries that do not exist, after the others were labeled', async () => {
  const { out, notes, code } = await freshet('label', 'add', 'later', 'e1', 'e77')
  expect(out).toEqual(['1 entry labeled later'])
  expect(notes).toContain('there is no entry e77')
  expect(code).toBe(1)
  expect((await freshet('label', 'add', 'later', 'e1')).code).toBe(0)
})

it('asks for an id if several rules have the same name', async () => {
  await freshet('rule', 'add', 'ads', 'one', '--mute')
  await freshet('rule', 'add', 'Ads', 'two', '--star')
  const { notes, code } = await freshet('rule', 'remove', 'ads')
  expect(code).toBe(2)
  const [first] = JSON.parse((await freshet('rule', '--json')).out.join('')).rules
  expect(notes).toContain('2 rules are called "ads"')
  expect(notes).toContain(first.id)
  expect((await freshet('rule', 'remove', first.id)).code).toBe(0)
  expect((await freshet('rule', 'remove', 'ads')).out).toEqual(['removed: Ads'])
})

it('adds, tests, applies, exports, imports and removes rules', async () => {
  expect((await freshet('rule', 'test', 'title:/^sponsored/i')).out).toEqual([
    'would have matched 1 of the last 3 entries',
    'e2  Sponsored boots',
  ])
  expect((await freshet('rule', 'add', 'ads', 'title:/^sponsored/i', '--mute')).code).toBe(0)
  expect((await freshet('rule', 'add', 'all', '--folder', 'News', '--label', 'news', '--star')).code).toBe(0)
  expect((await freshet('rule', 'apply', 'Ads')).out).toEqual(['1 entry changed, of 3'])
  expect((await freshet('rule', 'apply', 'all')).out).toEqual(['2 entries changed, of 2'])
  expect((await freshet('label')).out.join('\n')).toMatch(/news +2/)
  const file = join(folder, 'rules.json')
  await freshet('rule', 'export', file)
  expect(JSON.parse(await readFile(file, 'utf8')).rules).toMatchObject([
    { name: 'ads', query: 'title:/^sponsored/i', actions: [{ kind: 'mute' }] },
    { name: 'all', query: '', scope: { kind: 'folder', folder: 'News' } },
  ])
  expect((await freshet('rule', 'remove', 'ads')).out).toEqual(['removed: ads'])
  expect((await freshet('rule', 'import', file)).out).toEqual(['2 rules imported'])
  expect((await freshet('rule')).out.join('\n')).toContain('title:/^sponsored/i')
})

it('rejects invalid rules and files', async () => {
  expect((await freshet('rule', 'add', 'x', 'flood')).notes).toContain('the rule does nothing')
  expect((await freshet('rule', 'add', 'x', '/(/', '--star')).notes).toContain('not a regular expression')
  expect((await freshet('rule', 'apply', 'none')).notes).toContain('there is no rule "none"')
  const file = join(folder, 'other.json')
  await writeFile(file, '[]')
  expect((await freshet('rule', 'import', file)).notes).toContain('contains no rules')
  expect((await freshet('entries', 'title:flood')).notes).toContain('can only be used in rules')
})

it('warns of a rule in freshet.toml that sends to a destination that does not exist', async () => {
  const toml = join(folder, 'freshet.toml')
  await writeFile(toml, '[[rules]]\nname = "later"\nquery = "flood"\nsend = "Links"\n')
  const run = await freshet('run', '--once', '--config', toml)
  expect([...run.out, run.notes].join('\n')).toContain('rule "later" of freshet.toml sends to "Links"')
})
