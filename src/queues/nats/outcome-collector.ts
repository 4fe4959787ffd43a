/**
 * Processes deliveries from the stream of outcomes: outcomes, which are applied in batches, and documents that hubs pushed to a server. A
 * delivery is acknowledged once it is applied.
 */
import type { Bucket, Millis, PushedDocument } from '../../model/index.ts'
import { NotOwnerError } from '../../ports/index.ts'
import { createDrain } from '../drain.ts'
import { outcomeFromTransport } from '../outcome-json.ts'
import type { NatsLink } from './connection.ts'
import { createDeliveriesInProgress } from './deliveries-in-progress.ts'
import type { Delivery } from './delivery.ts'
import { type ApplyOutcomes, createOutcomeBatches } from './outcome-batches.ts'
import { DamagedPayload, FROM, LATER_VERSION_RETRY_MS, LaterPayload, type Payloads, PUSHED } from './payload.ts'
import { isTransportOutcome } from './validate.ts'

export type AcceptPush = (pushed: PushedDocument) => Promise<void>

export interface OutcomeCollector {
  collect(apply: ApplyOutcomes, take: AcceptPush | undefined): void
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
  onInternalError: (error: unknown) => void
  onUnreadable: (from: string, what: string) => void
}

export function createOutcomeCollector(parts: OutcomeCollectorParts): OutcomeCollector {
  const { link, payloads, namesSender, ackWaitMs, gatherMs, retryMs, onInternalError, onUnreadable } = parts
  const inProgress = createDeliveriesInProgress({ link, payloads, ackWaitMs })
  let acceptPush: AcceptPush | undefined
  let isCollecting = false
  let isClosing = false
  let isAbandoned = false
  let readCount = 0
  const drain = createDrain(() => isAbandoned || (readCount === 0 && batches.isIdle()))
  const batches = createOutcomeBatches({ inProgress, gatherMs, retryMs, onInternalError, onIdle: drain.check })

  async function read(delivery: Delivery): Promise<void> {
    if (isClosing) return delivery.nak()
    readCount++
    inProgress.start(delivery)
    try {
      const body = await payloads.unpack(delivery)
      if (delivery.header(PUSHED)) await takePushed(delivery, body)
      else await addOutcome(delivery, body)
    } catch (error) {
      refuseUnreadable(delivery, error)
    } finally {
      readCount--
      drain.check()
    }
  }

  async function addOutcome(delivery: Delivery, body: unknown): Promise<void> {
    if (!isTransportOutcome(body)) throw new DamagedPayload('it is not an outcome')
    const from = delivery.header(FROM)
    const outcome = await outcomeFromTransport(body).catch(damaged)
    batches.add({ delivery, outcome: { ...outcome, ...(namesSender && from && { by: from }) } })
  }

  async function takePushed(delivery: Delivery, body: unknown): Promise<void> {
    const { token, bucket, headers, body: base64 } = body as Record<string, unknown>
    if (typeof token !== 'string' || typeof base64 !== 'string' || typeof headers !== 'object')
      throw new DamagedPayload('it is not a push')
    const document = { token, bucket: bucket as Bucket, headers: headers as PushedDocument['headers'] }
    await acceptPush?.({ ...document, body: Buffer.from(base64, 'base64') })
    inProgress.complete(delivery)
  }

  function refuseUnreadable(delivery: Delivery, error: unknown): void {
    const from = delivery.header(FROM) ?? 'an unknown sender'
    if (error instanceof LaterPayload) {
      inProgress.retry(delivery, LATER_VERSION_RETRY_MS)
      onInternalError(error)
    } else if (error instanceof DamagedPayload) {
      inProgress.discard(delivery)
      onUnreadable(from, error.message)
      onInternalError(new Error(`a message from ${from} cannot be read: ${error.message}`))
    } else {
      inProgress.retry(delivery, retryMs)
      if (!(error instanceof NotOwnerError)) onInternalError(error)
    }
  }

  return {
    collect(apply, takeDocument) {
      if (isCollecting) throw new Error('outcomes are already being collected')
      isCollecting = true
      acceptPush = takeDocument
      batches.setApply(apply)
    },
    receive: (delivery) => void read(delivery).catch(onInternalError),
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
