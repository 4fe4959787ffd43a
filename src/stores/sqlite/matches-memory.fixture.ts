/** Compares the SQLite store with the memory store, whose code is easy to verify. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type ArticleId, type EntryId, type FeedId, GROUP_LEVELS, MAX_VOTERS } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { all, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { openSqliteStore } from './index.ts'
import { expectRecounted } from './recount.fixture.ts'

export type StoreAction = (store: Store, now: number) => Promise<unknown>

/** Applies the actions to both stores. Compares answers and next due dates after each, and all data at the end, and recounts the counters. */
export async function compareWithMemory(actions: StoreAction[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  const memory = createMemoryStore()
  const file = join(folder, 'held.db')
  const { store } = openSqliteStore({ file, mode: 'write', now: () => START })
  try {
    for (const [i, action] of actions.entries()) {
      const now = START + i
      expect(withoutTokens(await action(store, now))).toEqual(withoutTokens(await action(memory, now)))
      expect(notBefore(now, (await store.nextDue()).pollAt)).toEqual(notBefore(now, (await memory.nextDue()).pollAt))
      expect(notBefore(now, (await store.nextDue()).articleAt)).toEqual(
        notBefore(now, (await memory.nextDue()).articleAt),
      )
    }
    expect(withoutTokens(await readEverything(store))).toEqual(withoutTokens(await readEverything(memory)))
    expectRecounted(file, await store.counts())
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

/** Tokens and revisions differ between stores. */
function withoutTokens(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutTokens)
  if (typeof answer !== 'object' || answer === null || ArrayBuffer.isView(answer) || answer instanceof Map)
    return answer
  const { lease, revision, ...rest } = answer as Record<string, unknown>
  const plain = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withoutTokens(value)]))
  return {
    ...plain,
    ...(lease !== undefined && { lease: typeof lease }),
    ...(revision !== undefined && { revision: '' }),
  }
}

function notBefore(now: number, at: number | undefined): number | undefined {
  return at && Math.max(at, now)
}

async function readEverything(store: Store): Promise<unknown> {
  const waiting = (await store.unindexed(99)).changes
  const everyEntry = await all(store.everyEntry({}))
  // Ids grow, but with gaps that differ between stores: entries are compared by rank.
  const ungrouped = (await store.ungrouped(99)).changes
  const ids = [...new Set([...everyEntry, ...waiting, ...ungrouped].map(({ id }) => id))].sort((a, b) => a - b)
  const withRank = <T extends { id: EntryId } | undefined>(entry: T) => entry && { ...entry, id: ids.indexOf(entry.id) }
  const ofFeed = async (feedId: FeedId) => [
    (await store.entries({ feedId, limit: 99 })).map(withRank),
    await store.polls({ feedId, limit: 99 }),
    (await all(store.everyEntry({ feedId, since: START }))).map(withRank),
    await all(store.everyPoll({ feedId, since: START })),
    await store.knownEntries([{ feedId, keys: ['k1', 'k2', 'k3', 'k4'] }]),
  ]
  const articleIds = Array.from({ length: 12 }, (_, i) => (i + 1) as ArticleId)
  const counts = await store.counts()
  return {
    counts: { ...counts, articles: { ...counts.articles, textBytes: 0, pageBytes: 0 }, bytes: 0 },
    articles: await store.articlesById(articleIds),
    texts: await store.articleTexts(articleIds),
    pages: await Promise.all(
      articleIds.map(async (id) => Buffer.from((await store.rawPage(id))?.body ?? []).toString()),
    ),
    articlesOfEntries: await store.articlesOfEntries(everyEntry.map(({ id }) => id)),
    entriesOfArticles: (await store.entriesOfArticles(articleIds)).map((entries) => entries.map(withRank)),
    everyArticle: (await all(store.everyArticle({}))).map(({ entryIds, ...rest }) => [
      rest,
      entryIds.map((id) => ids.indexOf(id)),
    ]),
    feeds: await all(store.everyFeed()),
    due: await store.feeds({ order: 'due', limit: 99 }),
    troubled: await store.feeds({ order: 'id', failing: true, limit: 99 }),
    sources: await store.sources({ limit: 99 }),
    entries: (await store.entries({ limit: 99 })).map(withRank),
    entriesById: (await store.entriesById(ids)).map(withRank),
    polls: await store.polls({ limit: 99 }),
    everyEntry: everyEntry.map(withRank),
    everyPoll: await all(store.everyPoll({})),
    groups: await groupsIn(store, (id) => ids.indexOf(id)),
    moves: await Promise.all(ids.map(async (id) => (await store.moves(id)).map(({ entryId: _, ...move }) => move))),
    signatures: (await all(store.signatures({ since: START }))).map((one) => ({
      ...one,
      id: ids.indexOf(one.id),
      signature: Buffer.from(one.signature).length,
    })),
    unplaced: ungrouped.map(({ id, entry, ...rest }) => ({ ...rest, id: ids.indexOf(id), entry: withRank(entry) })),
    unique: await Promise.all(
      GROUP_LEVELS.map(async (unique) => (await store.entries({ unique, limit: 99 })).map(withRank)),
    ),
    statistics: await store.statistics(START),
    waiting: waiting.map(({ id, entry, text }) => ({ id: ids.indexOf(id), entry: withRank(entry), text })),
    byFeed: await Promise.all(([1, 2, 3, 4, 5, 6] as FeedId[]).map(ofFeed)),
  }
}

/** Groups with their members by rank. Checks the sums of a group against its members. */
async function groupsIn(store: Store, rankOf: (id: EntryId) => number): Promise<unknown> {
  const found = await Promise.all(GROUP_LEVELS.map((level) => store.groups({ level, order: 'large', limit: 99 })))
  return Promise.all(
    found.flat().map(async (group) => {
      const members = await store.members(group.id, 99)
      expect(members.length).toBe(group.size)
      const summed = members.slice(0, MAX_VOTERS)
      expect(summed.reduce((sum, { distance }) => sum + distance, 0)).toBe(group.distanceSum)
      const ranks = members.map(({ entryId }) => rankOf(entryId))
      return { ...group, primaryId: rankOf(group.primaryId), members: ranks }
    }),
  )
}
