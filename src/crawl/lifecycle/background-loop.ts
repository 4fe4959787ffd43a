/**
 * The quiet loop beside the polls: puts what has come where people look for it, sweeps out what removed feeds have left, and
 * now and then forgets what is too old. All of it in chunks (background-job.ts), between which polls go on.
 */
import { DAY, HOUR, type Instant, MINUTE, type Millis, SECOND } from '../../model/index.ts'
import type { Clock, Lines, Readership, Retention, Search, Subscriptions } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { Wall } from '../error-boundary.ts'
import { type Analysis, createAnalysis } from '../grouping/analysis.ts'
import { createPlacer } from '../grouping/group-entries.ts'
import { createIndexer } from '../grouping/index-entries.ts'
import type { Grouping } from '../grouping/similarity-indexes.ts'
import { isTransient, type StorePatience } from '../retry-transient.ts'
import type { ReadingActivity } from '../scheduler/reading-activity.ts'
import { runInChunks } from './background-job.ts'
import { forgetChunk, type RetentionLimits, removeUnwantedChunk, sweepChunk } from './retention-chunks.ts'

/** index: what came and what removed feeds have left. places: among copies and stories. retention: what is too old. */
export type KeeperDuty = 'index' | 'places' | 'retention'

export interface KeeperParts extends RetentionLimits, Grouping {
  lines: Lines
  retention: Retention
  readership: Readership
  subscriptions: Subscriptions
  search: Search
  /** Compares texts and prepares index rows; in process, where nothing is said. */
  analysis?: Analysis
  clock: Clock
  wall: Wall
  patience: Pick<StorePatience, 'retryTransient'>
  /** Absent where controllers are other processes, which count nobody's reading yet. */
  activity?: Pick<ReadingActivity, 'countAnew'>
  /** Whether polls are under way, who go first. */
  isBusy: () => boolean
  /** What of it is done here: all, where nothing is said. */
  duties?: ReadonlySet<KeeperDuty>
  /** Entries that are dealt with at once; CHUNK, where nothing is said. */
  chunkSize?: number
  /** Whether nobody else can have begun to do it. */
  isSure?: () => boolean
  /** Told what goes wrong and is not the keeper's to bear. */
  trouble: (error: unknown, doing: string) => void
  emit: (event: CrawlEvent) => void
}

export interface Keeper {
  /** Puts what has come where people look for it. False if some of it has to wait because of a mistake. */
  dealWithNews(signal?: AbortSignal): Promise<boolean>
  /** Does so a moment after there was news; now and then forgets what is too old. Until the signal aborts. */
  keepHouse(signal: AbortSignal): Promise<void>
  newsCame(): void
  /** The clock was set far ahead: nothing is thrown away for being old, until somebody may have noticed. */
  forgetNothingYet(): void
}

/** What one does on the main thread between two calls of the store is some milliseconds of work. */
const CHUNK = 100
const QUIET_MS = SECOND // what arrives within a second is indexed together
const RETENTION_EVERY_MS = HOUR
const AFTER_MISTAKE_MS = MINUTE
const NOTHING_IS_OLD_MS: Millis = DAY
const NEWS = 'news' // without a reason, an error is made for each

export function createKeeper({ analysis = createAnalysis(), ...others }: KeeperParts): Keeper {
  const parts = { ...others, analysis }
  const { search, clock, wall, patience, trouble, isSure = () => true } = parts
  const does = (duty: KeeperDuty) => parts.duties?.has(duty) ?? true
  const placer = does('places') ? createPlacer(parts) : undefined
  const indexChunk = createIndexer(parts)
  const size = parts.chunkSize ?? CHUNK
  let news = new AbortController()
  let nothingIsOldUntil: Instant = 0

  async function index(): Promise<boolean> {
    const more = await indexChunk(size)
    while (more && (await search.tidy()));
    return more
  }

  async function dealWithNews(signal?: AbortSignal): Promise<boolean> {
    let isDone = true
    const run = async (doing: string, chunk: () => Promise<boolean>) => {
      if (!(await wall.guarded(doing, () => runInChunks(parts, async () => isSure() && chunk(), signal))))
        isDone = false
    }
    if (does('index')) {
      await run('removing feeds that nobody follows', () => removeUnwantedChunk(parts, size))
      await run('sweeping out what removed feeds have left', () => sweepChunk(parts, size))
      await run('putting entries into the index', index)
    }
    if (placer) await run('placing entries among copies and stories', () => placer.placeChunk(size))
    return isDone
  }

  async function keepHouse(signal: AbortSignal): Promise<void> {
    let retentionAt = clock.now() + RETENTION_EVERY_MS // by then a clock that was wrong at the start has been set
    let countAt = clock.now() // how much is read
    while (!signal.aborted) {
      news = new AbortController()
      let isDone = true
      try {
        isDone = await patience.retryTransient('index, group and sweep', () => dealWithNews(signal), signal)
        if (does('retention') && isSure() && clock.now() >= retentionAt && clock.now() >= nothingIsOldUntil) {
          retentionAt = clock.now() + RETENTION_EVERY_MS
          const forget = () => runInChunks(parts, () => forgetChunk(parts, parts, size), signal)
          await patience.retryTransient('apply retention', forget, signal)
        }
        if (clock.now() >= countAt) {
          countAt = clock.now() + RETENTION_EVERY_MS
          const count = async () => parts.activity?.countAnew(clock.now())
          await patience.retryTransient('read counts of readers', count, signal)
        }
      } catch (error) {
        if (!(signal.aborted && isTransient(error))) trouble(error, 'keeping house') // else it ends while the store is away
      }
      const nextAt = isDone ? retentionAt : Math.min(retentionAt, clock.now() + AFTER_MISTAKE_MS)
      await clock.sleepUntil(nextAt, AbortSignal.any([news.signal, signal]))
      await clock.sleepUntil(clock.now() + QUIET_MS, signal)
    }
  }

  return {
    dealWithNews,
    keepHouse,
    newsCame: () => news.abort(NEWS),
    forgetNothingYet() {
      nothingIsOldUntil = clock.now() + NOTHING_IS_OLD_MS
    },
  }
}
