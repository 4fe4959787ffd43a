/**
 * Applies outcomes in batches: those that arrive within `gatherMs`, or while another batch is being applied. Outcomes that failed or were
 * redelivered are applied alone, so that they cannot harm others.
 */
import { type Millis, type Outcome, setBounded } from '../../model/index.ts'
import { NotOwnerError } from '../../ports/index.ts'
import { createWakeableSleep } from '../wakeable-sleep.ts'
import type { DeliveriesInProgress } from './deliveries-in-progress.ts'
import type { Delivery } from './delivery.ts'

export type ApplyOutcomes = (outcomes: Outcome[]) => Promise<void>

export interface ReceivedOutcome {
  delivery: Delivery
  outcome: Outcome
}

export interface OutcomeBatches {
  setApply(apply: ApplyOutcomes): void
  add(received: ReceivedOutcome): void
  /** Whether outcomes are applied at once, instead of waiting for others. */
  hurry(isHurried: boolean): void
  isIdle(): boolean
  /** From now on, outcomes do not wait for others. */
  close(): void
  /** Returns unapplied outcomes to the server. */
  abandon(): void
}

export interface OutcomeBatchesParts {
  inProgress: DeliveriesInProgress
  gatherMs: Millis
  retryMs: Millis
  onInternalError: (error: unknown) => void
  /** Called when everything added has been applied. */
  onIdle: () => void
}

const MAX_BATCH = 200
const MAX_ATTEMPTS = 3
const MAX_REMEMBERED = 10_000

export function createOutcomeBatches(parts: OutcomeBatchesParts): OutcomeBatches {
  const { inProgress, gatherMs, retryMs, onInternalError, onIdle } = parts
  let apply: ApplyOutcomes | undefined
  let gathered: ReceivedOutcome[] = []
  let retried: ReceivedOutcome[] = []
  /** Failed attempts per outcome. Bounded, since another controller may have applied them. */
  const attempts = new Map<string, number>()
  const gathering = createWakeableSleep()
  let isApplying = false
  let isHurried = false
  let isClosing = false
  let isAbandoned = false

  const isFull = () => isClosing || isHurried || gathered.length >= MAX_BATCH

  async function applyAll(): Promise<void> {
    if (isApplying || !apply) return
    isApplying = true
    while (gathered.length + retried.length > 0 && !isAbandoned) {
      if (gathered.length > 0 && !isFull() && gatherMs > 0) await gathering.sleep(gatherMs)
      else await new Promise((resolve) => setImmediate(resolve))
      const single = retried.shift()
      const batch = single ? [single] : gathered.splice(0, MAX_BATCH)
      if (batch.length > 0) await applyBatch(apply, batch)
    }
    isApplying = false
    onIdle()
  }

  async function applyBatch(applyOutcomes: ApplyOutcomes, batch: ReceivedOutcome[]): Promise<void> {
    try {
      await applyOutcomes(batch.map(({ outcome }) => outcome))
      for (const received of batch) {
        attempts.delete(outcomeKey(received))
        inProgress.complete(received.delivery)
      }
    } catch (error) {
      const isInternal = !(error instanceof NotOwnerError)
      if (!isAbandoned && isInternal) onInternalError(error)
      for (const received of batch) refuse(received, isInternal)
    }
  }

  function refuse(received: ReceivedOutcome, counts: boolean): void {
    const { delivery } = received
    const name = outcomeKey(received)
    const count = (attempts.get(name) ?? 0) + (counts ? 1 : 0)
    if (count >= MAX_ATTEMPTS) {
      attempts.delete(name)
      inProgress.discard(delivery)
    } else {
      setBounded(attempts, name, count, MAX_REMEMBERED)
      inProgress.retry(delivery, isClosing ? 0 : retryMs)
    }
  }

  return {
    setApply(applyOutcomes) {
      apply = applyOutcomes
    },
    add(received) {
      const isAlone = attempts.has(outcomeKey(received)) || received.delivery.count > 1
      ;(isAlone ? retried : gathered).push(received)
      if (isFull()) gathering.wake()
      void applyAll()
    },
    hurry(hurried) {
      isHurried = hurried
      if (hurried) gathering.wake()
    },
    isIdle: () => isAbandoned || !(isApplying || (apply && gathered.length + retried.length > 0)),
    close() {
      isClosing = true
      gathering.wake()
    },
    abandon() {
      isAbandoned = true
      for (const { delivery } of [...gathered, ...retried]) inProgress.retry(delivery, 0)
      gathered = []
      retried = []
    },
  }
}

function outcomeKey({ delivery, outcome }: ReceivedOutcome): string {
  return outcome.task.lease ?? `${delivery.subject} ${delivery.storedAt}`
}
