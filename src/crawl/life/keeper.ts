/**
 * The quiet loop beside the polls: puts what has come where people look for it, sweeps out what removed feeds have left, and
 * now and then forgets what is too old. All of it in bites, between which polls go on.
 */
import { DAY, HOUR, type Instant, type Millis, SECOND } from '../../model/index.ts'
import type { Clock, Lines, Readership, Retention, Search, Subscriptions } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { ReadingActivity } from '../dispatch/reading-activity.ts'
import { indexBite } from '../place/index-entries.ts'
import type { Grouping } from '../place/place-index.ts'
import { createPlacer } from '../place/placing.ts'
import type { Wall } from '../wall.ts'
import { type BiteSizes, createBites } from './bites.ts'
import { type RetentionLimits, retentionBite, sweepBite, unwantedBite } from './retention-bites.ts'
import { isTransient, type StorePatience } from './store-patience.ts'

/** index: what came and what removed feeds have left. places: among copies and stories. retention: what is too old. */
export type KeeperDuty = 'index' | 'places' | 'retention'

export interface KeeperParts extends RetentionLimits, Grouping {
  lines: Lines
  retention: Retention
  readership: Readership
  subscriptions: Subscriptions
  search: Search
  clock: Clock
  wall: Wall
  patience: Pick<StorePatience, 'retryTransient'>
  /** Absent where controllers are other processes, which count nobody's reading yet. */
  activity?: Pick<ReadingActivity, 'countAnew'>
  /** Whether polls are under way, who go first. */
  isBusy: () => boolean
  /** What of it is done here: all, where nothing is said. */
  duties?: ReadonlySet<KeeperDuty>
  /** How much is done at once: little, where nothing is said. */
  bites?: BiteSizes
  /** Whether nobody else can have begun to do it. */
  isSure?: () => boolean
  /** Told what goes wrong and is not the keeper's to bear. */
  trouble: (error: unknown, doing: string) => void
  emit: (event: CrawlEvent) => void
}

export interface Keeper {
  /** Puts what has come where people look for it. */
  dealWithNews(signal?: AbortSignal): Promise<void>
  /** Does so a moment after there was news; now and then forgets what is too old. Until the signal aborts. */
  keepHouse(signal: AbortSignal): Promise<void>
  newsCame(): void
  /** The clock was set far ahead: nothing is thrown away for being old, until somebody may have noticed. */
  forgetNothingYet(): void
}

const QUIET_MS = SECOND // what arrives within a second is indexed together
const RETENTION_EVERY_MS = HOUR
const NOTHING_IS_OLD_MS: Millis = DAY
const NEWS = 'news' // without a reason, an error is made for each

export function createKeeper(parts: KeeperParts): Keeper {
  const { search, clock, wall, patience, isBusy, trouble, isSure = () => true } = parts
  const does = (duty: KeeperDuty) => parts.duties?.has(duty) ?? true
  const placer = does('places') ? createPlacer(parts) : undefined
  const sizes = parts.bites
  const bites = (first: number) => createBites({ clock, isBusy, first, sizes })
  const [sweeping, placing, forgetting] = [bites(50), bites(40), bites(50)]
  const indexing = createBites({ clock, isBusy, first: 50, sizes, afterwards: tidyUp })
  let news = new AbortController()
  let nothingIsOldUntil: Instant = 0

  async function tidyUp(): Promise<void> {
    while (await search.tidy());
  }

  async function dealWithNews(signal?: AbortSignal): Promise<void> {
    const sure = (bite: (size: number) => Promise<boolean>) => async (size: number) => isSure() && bite(size)
    const sweep = () =>
      sweeping(
        sure((size) => sweepBite(parts, size)),
        signal,
      )
    const index = () =>
      indexing(
        sure((size) => indexBite(parts, size)),
        signal,
      )
    const unwanted = () =>
      sweeping(
        sure((size) => unwantedBite(parts, size)),
        signal,
      )
    if (does('index')) await wall.guarded('removing feeds that nobody follows', unwanted)
    if (does('index')) await wall.guarded('sweeping out what removed feeds have left', sweep)
    if (does('index')) await wall.guarded('putting entries into the index', index)
    if (!placer) return
    const place = () => placing(sure(placer.bite), signal)
    await wall.guarded('placing entries among copies and stories', place)
  }

  async function keepHouse(signal: AbortSignal): Promise<void> {
    let retentionAt = clock.now() + RETENTION_EVERY_MS // by then a clock that was wrong at the start has been set
    let countAt = clock.now() // how much is read
    while (!signal.aborted) {
      news = new AbortController()
      try {
        await patience.retryTransient('index, group and sweep', () => dealWithNews(signal), signal)
        if (does('retention') && isSure() && clock.now() >= retentionAt && clock.now() >= nothingIsOldUntil) {
          retentionAt = clock.now() + RETENTION_EVERY_MS
          const forget = () => forgetting((size) => retentionBite(parts, parts, size), signal)
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
      await clock.sleepUntil(retentionAt, AbortSignal.any([news.signal, signal]))
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
