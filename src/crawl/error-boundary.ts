/**
 * Mistakes of ours are exceptions, and this is where they end: one costs the feed, source, page or hub at which it was made,
 * and no other. It is reported, and becomes a failure like those of the world (`internal`): so it is stored, shown, and
 * tried again later (quarantine.ts). Only a store that cannot be used at all is for nobody here to bear.
 */
import { type Failure, type Instant, type Outcome, type Task, withoutCredentials } from '../model/index.ts'
import { type Clock, StoreError } from '../ports/index.ts'
import type { CrawlEvent } from './crawler.ts'

export interface Wall {
  report(doing: string, error: unknown): void
  /** False if a mistake was made, which then was reported. What is wrong with the store is thrown. */
  guarded(doing: string, work: () => unknown): Promise<boolean>
}

/** Takes a task on which we made a mistake out of the way, as a failure. */
export type SetAside = (task: Task, error: unknown, doing: string, at?: Instant) => Promise<void>

export function createWall({ clock, emit }: { clock: Clock; emit: (event: CrawlEvent) => void }): Wall {
  function report(doing: string, error: unknown): void {
    const at = clock.now()
    emit(error instanceof StoreError ? { kind: 'store-refuses', at, error } : { kind: 'mistake', at, error, doing })
  }
  return {
    report,
    async guarded(doing, work) {
      try {
        await work()
        return true
      } catch (error) {
        if (isOfStore(error)) throw error
        report(doing, error)
        return false
      }
    },
  }
}

/** The store, its file or its disk is to blame, and whatever else is tried will fare no better. */
export function isOfStore(error: unknown): boolean {
  return error instanceof StoreError
}

const LONGEST_DETAIL = 300

export function internalFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'internal', detail: withoutCredentials(message.slice(0, LONGEST_DETAIL)) }
}

/** Does work on an outcome, and quarantines its task if that fails for another reason than the store. */
export type OrQuarantine = (outcome: Outcome, doing: string, work: () => Promise<void>) => Promise<void>

export function orQuarantine(setAside: SetAside): OrQuarantine {
  return async ({ task, at }, doing, work) => {
    try {
      await work()
    } catch (error) {
      if (isOfStore(error)) throw error
      await setAside(task, error, doing, at)
    }
  }
}
