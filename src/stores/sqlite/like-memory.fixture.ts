/** Whatever is done to a store, in whatever order: SQLite answers as the memory store does, which is easy to check by eye. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type ArticleId, type EntryId, type FeedId, GROUP_LEVELS, MOST_VOTERS } from '../../model/index.ts'
import type { Store } from '../../ports/index.ts'
import { all, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../memory/index.ts'
import { openSqliteStore } from './index.ts'
import { expectRecounted } from './recount.fixture.ts'

export type Deed = (store: Store, now: number) => Promise<unknown>

/** Does the same to both, and compares what they answer, when they are next due, and in the end all that they know, with counters that are right. */
export async function holdAgainstMemory(deeds: Deed[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  const memory = createMemoryStore()
  const file = join(folder, 'held.db')
  const { store } = openSqliteStore({ file, mode: 'write', now: () => START })
  try {
    for (const [i, act] of deeds.entries()) {
      const now = START + i
      expect(unmarked(await act(store, now))).toEqual(unmarked(await act(memory, now)))
      expect(notBefore(now, (await store.nextDue()).pollAt)).toEqual(notBefore(now, (await memory.nextDue()).pollAt))
      expect(notBefore(now, (await store.nextDue()).pageAt)).toEqual(notBefore(now, (await memory.nextDue()).pageAt))
    }
    expect(unmarked(await everythingIn(store))).toEqual(unmarked(await everythingIn(memory)))
    expectRecounted(file, await store.counts())
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

/** Tokens and revisions mean nothing to anybody but the store that gave them. */
function unmarked(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(unmarked)
  if (typeof answer !== 'object' || answer === null || ArrayBuffer.isView(answer) || answer instanceof Map)
    return answer
  const { lease, revision, ...rest } = answer as Record<string, unknown>
  const told = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, unmarked(value)]))
  return {
    ...told,
    ...(lease !== undefined && { lease: typeof lease }),
    ...(revision !== undefined && { revision: '' }),
  }
}

function notBefore(now: number, at: number | undefined): number | undefined {
  return at && Math.max(at, now)
}

async function everythingIn(store: Store): Promise<unknown> {
  const waiting = (await store.unindexed(99)).changes
  const everyEntry = await all(store.everyEntry({}))
  // Ids only ever grow, but may leave gaps, and not the same gaps: entries are compared by their rank.
  const unplaced = (await store.unplaced(99)).changes
  const ids = [...new Set([...everyEntry, ...waiting, ...unplaced].map(({ id }) => id))].sort((a, b) => a - b)
  const ranked = <T extends { id: EntryId } | undefined>(entry: T) => entry && { ...entry, id: ids.indexOf(entry.id) }
  const ofFeed = async (feedId: FeedId) => [
    (await store.entries({ feedId, limit: 99 })).map(ranked),
    await store.polls({ feedId, limit: 99 }),
    (await all(store.everyEntry({ feedId, since: START }))).map(ranked),
    await all(store.everyPoll({ feedId, since: START })),
    await store.known([{ feedId, keys: ['k1', 'k2', 'k3', 'k4'] }]),
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
    entriesOfArticles: (await store.entriesOfArticles(articleIds)).map((entries) => entries.map(ranked)),
    everyArticle: (await all(store.everyArticle({}))).map(({ entryIds, ...rest }) => [
      rest,
      entryIds.map((id) => ids.indexOf(id)),
    ]),
    feeds: await all(store.everyFeed()),
    due: await store.feeds({ order: 'due', limit: 99 }),
    troubled: await store.feeds({ order: 'id', troubled: true, limit: 99 }),
    sources: await store.sources({ limit: 99 }),
    entries: (await store.entries({ limit: 99 })).map(ranked),
    entriesById: (await store.entriesById(ids)).map(ranked),
    polls: await store.polls({ limit: 99 }),
    everyEntry: everyEntry.map(ranked),
    everyPoll: await all(store.everyPoll({})),
    groups: await groupsIn(store, (id) => ids.indexOf(id)),
    moves: await Promise.all(ids.map(async (id) => (await store.moves(id)).map(({ entryId: _, ...move }) => move))),
    signatures: (await all(store.signatures({ since: START }))).map((one) => ({
      ...one,
      id: ids.indexOf(one.id),
      signature: Buffer.from(one.signature).length,
    })),
    unplaced: unplaced.map(({ id, entry, ...rest }) => ({ ...rest, id: ids.indexOf(id), entry: ranked(entry) })),
    unique: await Promise.all(
      GROUP_LEVELS.map(async (unique) => (await store.entries({ unique, limit: 99 })).map(ranked)),
    ),
    statistics: await store.statistics(START),
    waiting: waiting.map(({ id, entry, text }) => ({ id: ids.indexOf(id), entry: ranked(entry), text })),
    byFeed: await Promise.all(([1, 2, 3, 4, 5, 6] as FeedId[]).map(ofFeed)),
  }
}

/** Members by their rank; the numbers of a group are those of its members. */
async function groupsIn(store: Store, rankOf: (id: EntryId) => number): Promise<unknown> {
  const found = await Promise.all(GROUP_LEVELS.map((level) => store.groups({ level, order: 'large', limit: 99 })))
  return Promise.all(
    found.flat().map(async (group) => {
      const members = await store.members(group.id, 99)
      expect(members.length).toBe(group.size)
      const summed = members.slice(0, MOST_VOTERS)
      expect(summed.reduce((sum, { distance }) => sum + distance, 0)).toBe(group.distanceSum)
      const ranks = members.map(({ entryId }) => rankOf(entryId))
      return { ...group, primaryId: rankOf(group.primaryId), members: ranks }
    }),
  )
}
