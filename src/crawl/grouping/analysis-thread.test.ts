import { afterEach, expect, it } from 'vitest'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import { DAY, type EntryDraft, type EntryId } from '../../model/index.ts'
import { parsedQuery } from '../../ports/search-query.fixture.ts'
import { createMemorySearch } from '../../search/index.ts'
import { createMemoryStore } from '../../stores/index.ts'
import { type CrawlEvent, createErrorBoundary, createGrouper, DEFAULT_GROUPING, feedToAdd } from '../index.ts'
import { type AnalysisThread, createAnalysisThread } from './analysis-thread.ts'
import { CRASH, END } from './crashing-analysis.fixture.ts'
import { createSearchIndexer } from './index-entries.ts'

const START = Date.UTC(2026, 2, 1, 8)
const LEAD =
  'The council of Port Else voted on Monday to build a tram line from market to port, ending a quarrel of nine years.'

let thread: AnalysisThread | undefined
afterEach(() => thread?.close())

async function createScene() {
  const started = createAnalysisThread({
    groupMemoryBytes: DEFAULT_GROUPING.groupMemoryBytes,
    threadModule: new URL('./crashing-analysis.fixture.ts', import.meta.url).href,
  })
  thread = started
  const store = createMemoryStore()
  const search = createMemorySearch()
  const clock = createSteppedClock(START)
  const mistakes: string[] = []
  const emit = (event: CrawlEvent) => event.kind === 'internal-error' && mistakes.push(`${event.doing}: ${event.error}`)
  const { analysis } = started
  const parts = {
    pendingWork: store,
    search,
    analysis,
    clock,
    emit,
    errorBoundary: createErrorBoundary({ clock, emit }),
    ...DEFAULT_GROUPING,
  }
  const feed = feedToAdd({ url: address('http://post.example/feed'), title: 'Post' }, 'fixed:1h', START)
  const [{ id: feedId } = { id: 0 as never }] = await store.addFeeds([feed])
  let at = START
  const say = async (...titles: string[]) => {
    const fresh = titles.map((title): EntryDraft => ({ key: `${title} ${++at}`, title, summary: LEAD }))
    const result = { kind: 'not-modified', by: 'server' } as const
    const poll = { feedId, at: ++at, tookMs: 1, bytes: 1, conditional: true, result }
    await store.recordPolls([{ poll, schedule: feed.schedule, fresh, changed: [] }])
  }
  const copies = async () => {
    const groups = await store.groups({ level: 'copy', order: 'recent', limit: 9 })
    return Promise.all(groups.map(async ({ id }) => (await store.members(id, 99)).length))
  }
  const found = async () => (await search.find(parsedQuery('tram'), 99)).length
  return { store, parts, mistakes, say, copies, found, status: started.status, analysis }
}

async function all(chunk: () => Promise<boolean>): Promise<void> {
  while (await chunk());
}

it('finds copies and prepares index rows in the thread', async () => {
  const { parts, say, copies, found, status, mistakes } = await createScene()
  await say('Council approves tram line', 'Council approves the tram line')
  await all(createGrouper(parts).groupChunk)
  const index = createSearchIndexer(parts)
  await all(async () => (await index(9)).hasMore)
  expect([await copies(), await found(), mistakes]).toEqual([[2], 2, []])
  expect(status()).toMatchObject({ name: 'analysis', isRunning: true, queued: 0, crashes: 0 })
})

it('rebuilds its indexes from the store after a crash, and loses nothing', async () => {
  const { store, parts, say, copies, status, analysis } = await createScene()
  const grouper = createGrouper(parts)
  await say('Council approves tram line')
  await all(grouper.groupChunk)
  const crash = analysis.group(END, { changes: [], boilerplate: new Map(), now: START })
  await expect(crash).rejects.toThrow('ended with code 1')
  await say('Council approves the tram line')
  await all(grouper.groupChunk)
  expect([await copies(), (await store.ungrouped(9)).changes, status().crashes]).toEqual([[2], [], 1])
})

it('skips the one entry that crashes it, and processes the others', async () => {
  const { store, parts, say, copies, found, mistakes } = await createScene()
  await say('Council approves tram line', CRASH, 'Council approves the tram line')
  await all(createGrouper(parts).groupChunk)
  expect([await copies(), (await store.ungrouped(9)).changes]).toEqual([[2], []])
  const index = createSearchIndexer(parts)
  await all(async () => (await index(9)).hasMore)
  expect([await found(), (await store.unindexed(9)).changes]).toEqual([2, []])
  expect(mistakes.map((words) => words.replace(/:.*/, ''))).toEqual([
    'grouping 3 entries',
    'grouping 1 entries',
    'reading 3 entries for the index',
    'reading 1 entries for the index',
  ])
})

it('keeps entries waiting while the thread crashes on every call', async () => {
  const { store, parts, say, copies, analysis } = await createScene()
  const crash = () => analysis.group(END, { changes: [], boilerplate: new Map(), now: START }).catch(() => {})
  for (let i = 0; i < 5; i++) await crash()
  await say('Council approves tram line', 'Council approves the tram line')
  const grouper = createGrouper({ ...parts, groupWindowMs: DAY })
  await expect(grouper.groupChunk()).rejects.toThrow('crashed 5 times')
  await expect(createSearchIndexer(parts)(9)).rejects.toThrow('crashed 5 times')
  expect((await store.ungrouped(9)).changes.map(({ id }) => id)).toEqual([1, 2] as EntryId[])
  expect((await store.unindexed(9)).changes).toHaveLength(2)
  expect(await copies()).toEqual([])
})
