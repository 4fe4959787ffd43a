/**
 * Groups entries into copies and stories. Entries wait in a queue of the store and are grouped in chunks, so a crash loses nothing.
 * Entries that changed, got an article or were removed pass through the same queue and are grouped again or taken out. Texts are
 * compared by the analysis (analysis.ts), which may run in a thread; the store is read and written here.
 *
 * The similarity indexes are only a cache. They are built from stored signatures when the first entry is grouped, and again after the store
 * rejected a result or the thread restarted.
 */
import { type EntryId, GROUP_LEVELS } from '../../model/index.ts'
import type { Clock, FeedBoilerplate, GroupedEntry, PendingWork, StoredSignature } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { createErrorBoundary, isStoreError } from '../error-boundary.ts'
import { type Analysis, createAnalysis, type GroupBatch, type GroupedBatch } from './analysis.ts'
import { isUnavailable } from './analysis-thread.ts'
import { createChunkSize } from './chunk-size.ts'
import { type Grouping, levelsOf, MAX_WINDOWS } from './similarity-indexes.ts'

export interface GrouperParts extends Grouping {
  pendingWork: PendingWork
  /** In process by default. */
  analysis?: Analysis
  clock: Clock
  emit: (event: CrawlEvent) => void
}

export interface Grouper {
  /**
   * Groups at most `size` entries of the queue; when it is empty, merges groups that belong together. True if there may be more. After an
   * entry that may have joined two groups, it returns true, so that their merge is completed.
   */
  groupChunk(size?: number): Promise<boolean>
}

const CHUNK = 40
const RESTORE_CHUNK = 1000

export function createGrouper(parts: GrouperParts): Grouper {
  const { pendingWork, analysis = createAnalysis(), clock, emit } = parts
  const errorBoundary = createErrorBoundary(parts)
  const levels = levelsOf(parts)
  const chunkSize = createChunkSize()
  let indexId: string | undefined
  let hasRequeued = false
  /** A merge may be incomplete: of this process, or of an earlier one. */
  let mayBeMerging = true

  async function groupChunk(size = CHUNK): Promise<boolean> {
    const { positions, changes, hasMore, boilerplate } = await pendingWork.ungrouped(chunkSize.of(size))
    if (changes.length === 0) {
      mayBeMerging = (await pendingWork.settleGroups(size)) > 0
      return mayBeMerging
    }
    const wasRequeued = hasRequeued
    if (levels.length === 0) await pendingWork.recordGroups([], positions, clock.now())
    else
      try {
        const batch = { changes, boilerplate: memoriesOf(boilerplate), now: clock.now() }
        await write(await groupBatch(batch), batch, positions)
      } catch (error) {
        indexId = undefined // the indexes may be ahead of the store
        if (isStoreError(error) || isUnavailable(error)) throw error
        errorBoundary.report(`grouping ${changes.length} entries`, error)
        if (changes.length > 1) {
          chunkSize.oneByOne(changes.length)
          return true
        }
        await pendingWork.recordGroups([], positions, clock.now()) // an entry that cannot be grouped stays alone
      }
    return hasMore || mayBeMerging || hasRequeued !== wasRequeued
  }

  function memoriesOf(boilerplate: FeedBoilerplate[]): GroupBatch['boilerplate'] {
    if (parts.copies === 'simhash') return new Map()
    return new Map(boilerplate.map(({ feedId, memory }) => [feedId, memory]))
  }

  async function groupBatch(batch: GroupBatch): Promise<GroupedBatch> {
    for (;;) {
      indexId ??= await buildIndex()
      const found = await analysis.group(indexId, batch)
      if (found) return found
      indexId = undefined // the thread was restarted
    }
  }

  async function write(
    { grouped, boilerplate, errors }: GroupedBatch,
    { changes }: GroupBatch,
    marks: Marks,
  ): Promise<void> {
    for (const { doing, error } of errors) errorBoundary.report(doing, error)
    const titles = new Map(changes.map(({ id, entry }) => [id, entry?.title ?? '']))
    const moves = await pendingWork.recordGroups(grouped, marks, clock.now(), boilerplate)
    if (grouped.some(({ joins }) => GROUP_LEVELS.some((level) => (joins[level]?.with.length ?? 0) > 1)))
      mayBeMerging = true
    for (const move of moves) emit({ ...move, kind: 'regrouped', title: titles.get(move.entryId) ?? '' })
    const before = new Set(changes.flatMap(({ id, wasGrouped }) => (wasGrouped ? [id] : [])))
    for (const { id, joins } of grouped) if (!before.has(id)) emitJoins(id, titles.get(id) ?? '', joins)
  }

  function emitJoins(entryId: EntryId, title: string, joins: GroupedEntry['joins']): void {
    for (const level of GROUP_LEVELS) {
      const { likeId, likeness, reason } = joins[level] ?? {}
      if (likeness === undefined || reason === undefined) continue
      const like = { ...(likeId !== undefined && { likeId }), likeness, reason }
      emit({ kind: 'joined', at: clock.now(), entryId, title, level, ...like })
    }
  }

  /** Entries that an earlier version signed are queued for grouping again, once per process. */
  async function buildIndex(): Promise<string> {
    const now = clock.now()
    const { copies, stories, copyThreshold, storyThreshold, groupWindowMs, groupMemoryBytes } = parts
    const thresholds = { ...(copyThreshold && { copyThreshold }), ...(storyThreshold && { storyThreshold }) }
    const id = await analysis.createIndex({ copies, stories, ...thresholds, groupWindowMs, groupMemoryBytes })
    const outdated = new Set<EntryId>()
    for (const { level, capacity } of levels) {
      const stored = pendingWork.signatures({ since: now - MAX_WINDOWS * groupWindowMs, newest: capacity })
      for await (const chunk of chunksOf(stored))
        for (const entryId of await analysis.restore(id, level, chunk, now)) outdated.add(entryId)
    }
    if (outdated.size > 0 && !hasRequeued) {
      hasRequeued = true
      emit({ kind: 'signatures-outdated', at: now, entries: await pendingWork.regroupSince(now - groupWindowMs) })
    }
    return id
  }

  return { groupChunk }
}

type Marks = Parameters<PendingWork['recordGroups']>[1]

async function* chunksOf(signatures: AsyncIterable<StoredSignature>): AsyncGenerator<StoredSignature[]> {
  let batch: StoredSignature[] = []
  for await (const signature of signatures) {
    batch.push(signature)
    if (batch.length < RESTORE_CHUNK) continue
    yield batch
    batch = []
  }
  yield batch
}
