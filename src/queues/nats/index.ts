/**
 * A queue between machines on NATS JetStream (server 2.9 or later). One connection with one or both ends of the queue; names.ts lists what is
 * stored on the server.
 */
import { MINUTE, type Millis, SECOND } from '../../model/index.ts'
import { connectNats, type NatsAddress, type NatsLink } from './connection.ts'
import { createNatsDispatch, type DispatchParts, type NatsDispatch } from './controller-end.ts'
import { createNatsWork, type NatsWork, type WorkParts } from './fetcher-end.ts'
import { createFleetStreams, deduplicationMs, queueNames, type StreamSettings, waitForStreams } from './names.ts'
import { createPayloads, type PayloadVersions } from './payload.ts'
import { createServerTime, localTime, type ServerTime } from './server-time.ts'

export type { NatsAddress } from './connection.ts'
export type { NatsDispatch } from './controller-end.ts'
export type { NatsWork } from './fetcher-end.ts'

export interface NatsQueueOptions extends NatsAddress {
  /** Prefix of everything on the server; fleets with different names are independent. */
  queueName: string
  /** Creates the streams (default), waits until they exist, or needs none: then only pushed documents can be sent. */
  streams?: 'create' | 'wait' | 'none'
  /** How long to wait for streams. */
  streamsWaitMs?: Millis
  replicas?: number
  ackWaitMs?: Millis
  taskRetentionMs?: Millis
  versions?: PayloadVersions
  onInternalError: (error: unknown) => void
}

export interface NatsQueue {
  link: NatsLink
  time: ServerTime
  dispatch(options?: Pick<DispatchParts, 'byBucket' | 'clock' | 'gatherMs' | 'retryMs' | 'onUnreadable'>): NatsDispatch
  work(options: Pick<WorkParts, 'concurrency' | 'isAwaited'>): NatsWork
  /** Call after closing its ends. */
  close(): Promise<void>
}

const ACK_WAIT_MS: Millis = 30 * SECOND
const TASKS_RETENTION_MS: Millis = 10 * MINUTE
const STREAMS_WAIT_MS: Millis = MINUTE

export async function openNatsQueue(options: NatsQueueOptions): Promise<NatsQueue> {
  const { queueName, name: processName, replicas = 1, onInternalError, versions } = options
  const { ackWaitMs = ACK_WAIT_MS, taskRetentionMs = TASKS_RETENTION_MS } = options
  const settings: StreamSettings = { replicas, ackWaitMs, taskRetentionMs }
  const link = await connectNats(options)
  try {
    const { streams = 'create', streamsWaitMs = STREAMS_WAIT_MS } = options
    if (streams === 'create') await createFleetStreams(link, queueName, settings)
    if (streams === 'wait') await waitForStreams(link, queueName, streamsWaitMs)
    const time = streams === 'none' ? localTime() : await createServerTime(link, queueName, processName)
    link.onReconnect(async () => {
      if (streams === 'create') await createFleetStreams(link, queueName, settings)
      await time.measure()
    })
    const { Objm } = link.modules.objects
    // Readers send the server as few requests as possible: each one needs a permission.
    const js = link.modules.jetstream.jetstream(link.nc, {
      checkAPI: false,
      ...(options.inboxPrefix && { watcherPrefix: options.inboxPrefix }),
    })
    const objects = () => new Objm(js).open(queueNames(queueName).objects, false)
    const payloads = createPayloads(link.modules, objects, versions)
    return {
      link,
      time,
      dispatch: ({ byBucket, clock, gatherMs, retryMs, onUnreadable } = {}) =>
        createNatsDispatch({
          link,
          payloads,
          queueName,
          processName,
          time,
          clock,
          ackWaitMs,
          deduplicationMs: deduplicationMs(taskRetentionMs),
          byBucket,
          gatherMs,
          retryMs,
          onInternalError,
          onUnreadable,
        }),
      work: ({ concurrency, isAwaited }) =>
        createNatsWork({
          link,
          payloads,
          time,
          queueName,
          processName,
          concurrency,
          ackWaitMs,
          onInternalError,
          isAwaited,
        }),
      async close() {
        time.close()
        await link.close()
      },
    }
  } catch (error) {
    await link.close()
    throw error
  }
}
