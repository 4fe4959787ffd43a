/**
 * The keeper of a fleet: what one crawl does beside its polls (keeper.ts, dispatch/budget.ts) is done here for all controllers. Of
 * several keepers one at a time has each duty; the others stand by.
 */

import { type Clock, type Leadership, rolesOf, type Search, type Store, StoreError } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { createWall } from '../error-boundary.ts'
import { createMarketMaker } from '../fleet/fleet-price.ts'
import { createDuties, type Duty } from '../fleet/leader-tasks.ts'
import type { Analysis } from '../grouping/analysis.ts'
import type { Grouping } from '../grouping/similarity-indexes.ts'
import { createStorePatience } from '../retry-transient.ts'
import type { BudgetOptions } from '../scheduler/budget.ts'
import { createKeeper, type Keeper, type KeeperDuty } from './background-loop.ts'
import type { RetentionLimits } from './retention-chunks.ts'

export interface KeepingParts extends RetentionLimits, BudgetOptions, Grouping {
  store: Store & Leadership
  search: Search
  /** Compares texts and prepares index rows; in process, where nothing is said. */
  analysis?: Analysis
  clock: Clock
  /** Our name among the keepers of this store. */
  name: string
}

export interface Keeping {
  /** Until the signal aborts. Throws what is wrong with the store, unless it may pass. */
  run(signal: AbortSignal): Promise<void>
  /** There is something to index, to place or to sweep out. */
  newsCame(): void
  duties(): string[]
  onEvent(listener: (event: CrawlEvent) => void): () => void
}

/** Each is a trip to another process, and nothing else is done here. */
const CHUNK = 500
const HOUSE: readonly KeeperDuty[] = ['index', 'places', 'retention']

export function createKeeping({ store, ...others }: KeepingParts): Keeping {
  const parts = { ...others, ...rolesOf(store) }
  const { clock } = parts
  const listeners = new Set<(event: CrawlEvent) => void>()
  const wall = createWall({ clock, emit })
  const patience = createStorePatience(clock, emit)
  const keepers = new Set<Keeper>()
  let ending = new AbortController()
  let fatal: StoreError | undefined

  function emit(event: CrawlEvent): void {
    for (const listener of listeners) listener(event)
  }

  function trouble(error: unknown, doing: string): void {
    if (error instanceof StoreError && !error.isPassing) {
      fatal ??= error
      ending.abort()
    } else wall.report(doing, error)
  }

  /** A new one each time: what it had in memory may be old. */
  function keeping(duty: KeeperDuty): Duty {
    return async (signal, isSure) => {
      const only = new Set([duty])
      const keeper = createKeeper({
        ...parts,
        wall,
        patience,
        isBusy: () => false,
        chunkSize: CHUNK,
        trouble,
        emit,
        duties: only,
        isSure,
      })
      keepers.add(keeper)
      try {
        await keeper.keepHouse(signal)
      } finally {
        keepers.delete(keeper)
      }
    }
  }

  const market = createMarketMaker({ ...parts, patience })
  const house = Object.fromEntries(HOUSE.map((duty) => [duty, keeping(duty)]))
  const duties = createDuties({ ...parts, duties: { ...house, market }, emit, trouble })

  return {
    async run(signal) {
      ending = new AbortController()
      await duties.run(AbortSignal.any([signal, ending.signal]))
      if (fatal) throw fatal
    },
    newsCame() {
      for (const keeper of keepers) keeper.newsCame()
    },
    duties: duties.led,
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
