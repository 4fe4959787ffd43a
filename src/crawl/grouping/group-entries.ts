/**
 * Where entries belong among copies and stories. Entries wait in the store's line until they are placed here, in chunks; so
 * a crash loses nothing, and what changed, has got an article or is gone comes by the same way and is placed again, or
 * taken out. Texts are compared by the analysis (analysis.ts), which may be a thread; what is read and written goes through here.
 *
 * Its similarity index is never the only place where something is known: it is filled from the store's signatures when the first entry
 * comes, and again when the store refuses what it found, or when the thread was restarted.
 */
import { type EntryId, GROUP_LEVELS } from '../../model/index.ts'
import { ALL_FEEDS, type Clock, type Lines, type PlacedEntry, type StoredSignature } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { createWall, isOfStore } from '../error-boundary.ts'
import { type Analysis, createAnalysis, type PlaceBatch, type PlacedBatch } from './analysis.ts'
import { isUnavailable } from './analysis-thread.ts'
import { createChunkSize } from './chunk-size.ts'
import { type Grouping, levelsOf, WINDOWS_KEPT } from './similarity-indexes.ts'

export interface PlacerParts extends Grouping {
  lines: Lines
  /** In process, where nothing is said. */
  analysis?: Analysis
  clock: Clock
  emit: (event: CrawlEvent) => void
}

export interface Placer {
  /** Places what waits longest, of so many entries; then makes one group of what turned out to be one. True if there may be more. */
  placeChunk(size?: number): Promise<boolean>
}

const CHUNK = 40
const RESTORED_AT_ONCE = 1000

export function createPlacer(parts: PlacerParts): Placer {
  const { lines, analysis = createAnalysis(), clock, emit } = parts
  const wall = createWall(parts)
  const levels = levelsOf(parts)
  const chunkSize = createChunkSize()
  let indexId: string | undefined
  let askedAgain = false

  async function placeChunk(size = CHUNK): Promise<boolean> {
    const { marks, changes } = await lines.unplaced(chunkSize.of(size))
    if (changes.length === 0) return (await lines.goOver(size)) > 0
    if (levels.length === 0) await lines.place([], marks, clock.now())
    else
      try {
        const batch = { changes, habits: await habitsOf(changes), now: clock.now() }
        await write(await placesOf(batch), batch, marks)
      } catch (error) {
        indexId = undefined // it may know more than the store does
        if (isOfStore(error) || isUnavailable(error)) throw error
        wall.report(`placing ${changes.length} entries`, error)
        if (changes.length > 1) chunkSize.oneByOne(changes.length)
        else await lines.place([], marks, clock.now()) // one that cannot be placed stays alone
      }
    return true
  }

  async function habitsOf(changes: PlaceBatch['changes']): Promise<PlaceBatch['habits']> {
    if (parts.copies === 'simhash') return new Map()
    const ids = [ALL_FEEDS, ...new Set(changes.flatMap(({ entry }) => entry?.feedId ?? []))]
    const memories = await lines.habits(ids)
    return new Map(ids.flatMap((id, i) => (memories[i] ? [[id, memories[i]]] : [])))
  }

  async function placesOf(batch: PlaceBatch): Promise<PlacedBatch> {
    for (;;) {
      indexId ??= await buildIndex()
      const found = await analysis.place(indexId, batch)
      if (found) return found
      indexId = undefined // the thread was restarted
    }
  }

  async function write(
    { placed, habits, mistakes }: PlacedBatch,
    { changes }: PlaceBatch,
    marks: Marks,
  ): Promise<void> {
    for (const { doing, error } of mistakes) wall.report(doing, error)
    const titles = new Map(changes.map(({ id, entry }) => [id, entry?.title ?? '']))
    const moves = await lines.place(placed, marks, clock.now(), habits)
    for (const move of moves) emit({ ...move, kind: 'regrouped', title: titles.get(move.entryId) ?? '' })
    const before = new Set(changes.flatMap(({ id, wasPlaced }) => (wasPlaced ? [id] : [])))
    for (const { id, joins } of placed) if (!before.has(id)) tellJoins(id, titles.get(id) ?? '', joins)
  }

  function tellJoins(entryId: EntryId, title: string, joins: PlacedEntry['joins']): void {
    for (const level of GROUP_LEVELS) {
      const { likeId, likeness, reason } = joins[level] ?? {}
      if (likeness === undefined || reason === undefined) continue
      const like = { ...(likeId !== undefined && { likeId }), likeness, reason }
      emit({ kind: 'joined', at: clock.now(), entryId, title, level, ...like })
    }
  }

  /** What an earlier version of ours signed waits for its place once more, behind what waits now; once is enough. */
  async function buildIndex(): Promise<string> {
    const now = clock.now()
    const { copies, stories, copyThreshold, storyThreshold, groupWindowMs, groupMemoryBytes } = parts
    const thresholds = { ...(copyThreshold && { copyThreshold }), ...(storyThreshold && { storyThreshold }) }
    const id = await analysis.createIndex({ copies, stories, ...thresholds, groupWindowMs, groupMemoryBytes })
    const outdated = new Set<EntryId>()
    for (const { level, capacity } of levels) {
      const kept = lines.signatures({ since: now - WINDOWS_KEPT * groupWindowMs, newest: capacity })
      for await (const some of inBatches(kept))
        for (const one of await analysis.restore(id, level, some, now)) outdated.add(one)
    }
    if (outdated.size > 0 && !askedAgain) {
      askedAgain = true
      emit({ kind: 'signed-otherwise', at: now, entries: await lines.placeAgain(now - groupWindowMs) })
    }
    return id
  }

  return { placeChunk }
}

type Marks = Parameters<Lines['place']>[1]

async function* inBatches(signatures: AsyncIterable<StoredSignature>): AsyncGenerator<StoredSignature[]> {
  let batch: StoredSignature[] = []
  for await (const one of signatures) {
    batch.push(one)
    if (batch.length < RESTORED_AT_ONCE) continue
    yield batch
    batch = []
  }
  yield batch
}
