/**
 * Processes deliveries from the stream of outcomes: outcomes, which are applied in batches, and documents that hubs pushed to a server. A
 * delivery is acknowledged once it is applied.
 */
import type { Bucket, Millis, PushedDocument } from '../../model/index.ts'
import { NotOursNow } from '../../ports/index.ts'
import { createDrain } from '../drain.ts'
import { outcomeFromTransport } from '../outcome-json.ts'
import type { NatsLink } from './connection.ts'
import { createDeliveriesInProgress } from './deliveries-in-progress.ts'
import type { Delivery } from './delivery.ts'
import { type ApplyOutcomes, createOutcomeBatches } from './outcome-batches.ts'
import { DamagedPayload, FROM, LATER_VERSION_RETRY_MS, LaterPayload, type Payloads, PUSHED } from './payload.ts'
import { isTransportOutcome } from './validate.ts'

export type TakePushed = (pushed: PushedDocument) => Promise<void>

export interface OutcomeCollector {
  collect(apply: ApplyOutcomes, take: TakePushed | undefined): void
  receive(delivery: Delivery): void
  hurry(isHurried: boolean): void
  close(signal: AbortSignal | undefined): Promise<void>
}

export interface OutcomeCollectorParts {
  link: NatsLink
  payloads: Payloads
  /** Whether outcomes include the fetcher that sent them. */
  namesSender: boolean
  ackWaitMs: Millis
  gatherMs: Millis
  retryMs: Millis
  onMistake: (error: unknown) => void
  onNonsense: (from: string, what: string) => void
}

export function createOutcomeCollector(parts: OutcomeCollectorParts): OutcomeCollector {
  const { link, payloads, namesSender, ackWaitMs, gatherMs, retryMs, onMistake, onNonsense } = parts
  const inProgress = createDeliveriesInProgress({ link, payloads, ackWaitMs })
  let take: TakePushed | undefined
  let isCollecting = false
  let isClosing = false
  let isAbandoned = false
  let reading = 0
  const drain = createDrain(() => isAbandoned || (reading === 0 && batches.isIdle()))
  const batches = createOutcomeBatches({ inProgress, gatherMs, retryMs, onMistake, onIdle: drain.check })

  async function read(delivery: Delivery): Promise<void> {
    if (isClosing) return delivery.nak()
    reading++
    inProgress.start(delivery)
    try {
      const body = await payloads.unpack(delivery)
      if (delivery.header(PUSHED)) await takePushed(delivery, body)
      else await addOutcome(delivery, body)
    } catch (error) {
      refuseUnreadable(delivery, error)
    } finally {
      reading--
      drain.check()
    }
  }

  async function addOutcome(delivery: Delivery, body: unknown): Promise<void> {
    if (!isTransportOutcome(body)) throw new DamagedPayload('it is no outcome')
    const from = delivery.header(FROM)
    const outcome = await outcomeFromTransport(body).catch(damaged)
    batches.add({ delivery, outcome: { ...outcome, ...(namesSender && from && { by: from }) } })
  }

  async function takePushed(delivery: Delivery, body: unknown): Promise<void> {
    const { token, bucket, headers, body: base64 } = body as Record<string, unknown>
    if (typeof token !== 'string' || typeof base64 !== 'string' || typeof headers !== 'object')
      throw new DamagedPayload('it is no pushed document')
    const document = { token, bucket: bucket as Bucket, headers: headers as PushedDocument['headers'] }
    await take?.({ ...document, body: Buffer.from(base64, 'base64') })
    inProgress.complete(delivery)
  }

  function refuseUnreadable(delivery: Delivery, error: unknown): void {
    const from = delivery.header(FROM) ?? 'somebody'
    if (error instanceof LaterPayload) {
      inProgress.retry(delivery, LATER_VERSION_RETRY_MS)
      onMistake(error)
    } else if (error instanceof DamagedPayload) {
      inProgress.discard(delivery)
      onNonsense(from, error.message)
      onMistake(new Error(`what ${from} sent cannot be read: ${error.message}`))
    } else {
      inProgress.retry(delivery, retryMs)
      if (!(error instanceof NotOursNow)) onMistake(error)
    }
  }

  return {
    collect(apply, takeDocument) {
      if (isCollecting) throw new Error('somebody collects already')
      isCollecting = true
      take = takeDocument
      batches.setApply(apply)
    },
    receive: (delivery) => void read(delivery).catch(onMistake),
    hurry: batches.hurry,
    async close(signal) {
      isClosing = true
      batches.close()
      await drain.wait(signal, () => {
        isAbandoned = true
        batches.abandon()
      })
      inProgress.close()
    },
  }
}

function damaged(error: unknown): never {
  throw new DamagedPayload(error instanceof Error ? error.message : String(error))
}
