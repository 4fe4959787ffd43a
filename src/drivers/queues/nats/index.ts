/**
 * A queue between machines, on NATS JetStream (server 2.9 or later). One link to the server, and over it one of the two ends, or
 * both; names.ts says what lies on the server.
 */
import { MINUTE, type Millis, SECOND } from '../../../model/index.ts'
import { connectNats, type NatsAddress, type NatsLink } from './connection.ts'
import { createNatsDispatch, type DispatchParts, type NatsDispatch } from './dispatch.ts'
import { makeStreams, queueNames, rememberedMs, type StreamSettings, waitForStreams } from './names.ts'
import { createPayloads, type PayloadVersions } from './payload.ts'
import { createServerTime, machineTime, type ServerTime } from './server-time.ts'
import { createNatsWork, type NatsWork, type WorkParts } from './work.ts'

export type { NatsAddress } from './connection.ts'
export type { NatsDispatch } from './dispatch.ts'
export type { NatsWork } from './work.ts'

export interface NatsQueueOptions extends NatsAddress {
  /** What everything on the server begins with: fleets with other names know nothing of each other. */
  queueName: string
  /** Creates the streams (default), waits until somebody else has, or needs none: then nothing is sent but what hubs push. */
  streams?: 'create' | 'wait' | 'none'
  /** How long streams are waited for. */
  streamsWaitMs?: Millis
  replicas?: number
  ackWaitMs?: Millis
  tasksKeptMs?: Millis
  versions?: PayloadVersions
  onMistake: (error: unknown) => void
}

export interface NatsQueue {
  link: NatsLink
  time: ServerTime
  dispatch(options?: Pick<DispatchParts, 'byBucket' | 'clock' | 'gatherMs' | 'againMs' | 'onNonsense'>): NatsDispatch
  work(options: Pick<WorkParts, 'concurrency' | 'isAwaited'>): NatsWork
  /** After its ends. */
  close(): Promise<void>
}

const ACK_WAIT_MS: Millis = 30 * SECOND
const TASKS_KEPT_MS: Millis = 10 * MINUTE
const STREAMS_WAIT_MS: Millis = MINUTE

export async function openNatsQueue(options: NatsQueueOptions): Promise<NatsQueue> {
  const { queueName, name: who, replicas = 1, onMistake, versions } = options
  const { ackWaitMs = ACK_WAIT_MS, tasksKeptMs = TASKS_KEPT_MS } = options
  const settings: StreamSettings = { replicas, ackWaitMs, tasksKeptMs }
  const link = await connectNats(options)
  try {
    const { streams = 'create', streamsWaitMs = STREAMS_WAIT_MS } = options
    if (streams === 'create') await makeStreams(link, queueName, settings)
    if (streams === 'wait') await waitForStreams(link, queueName, streamsWaitMs)
    const time = streams === 'none' ? machineTime() : await createServerTime(link, queueName, who)
    link.onAgain(async () => {
      if (streams === 'create') await makeStreams(link, queueName, settings)
      await time.measure()
    })
    const { Objm } = link.modules.objects
    // Who only looks things up asks the server no more than it has to: each question is a right to be granted.
    const js = link.modules.jetstream.jetstream(link.nc, {
      checkAPI: false,
      ...(options.inboxPrefix && { watcherPrefix: options.inboxPrefix }),
    })
    const objects = () => new Objm(js).open(queueNames(queueName).objects, false)
    const payloads = createPayloads(link.modules, objects, versions)
    return {
      link,
      time,
      dispatch: ({ byBucket, clock, gatherMs, againMs, onNonsense } = {}) =>
        createNatsDispatch({
          link,
          payloads,
          queueName,
          who,
          time,
          clock,
          ackWaitMs,
          rememberedMs: rememberedMs(tasksKeptMs),
          byBucket,
          gatherMs,
          againMs,
          onMistake,
          onNonsense,
        }),
      work: ({ concurrency, isAwaited }) =>
        createNatsWork({ link, payloads, time, queueName, who, concurrency, ackWaitMs, onMistake, isAwaited }),
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
