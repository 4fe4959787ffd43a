/**
 * A queue between machines, on NATS JetStream (server 2.9 or later). One link to the server, and over it one of the two ends, or
 * both; names.ts says what lies on the server.
 */
import { MINUTE, type Millis, SECOND } from '../../../model/index.ts'
import { connectNats, type NatsAddress, type NatsLink } from './connection.ts'
import { createNatsDispatch, type DispatchParts, type NatsDispatch } from './dispatch.ts'
import { makeStreams, queueNames, rememberedMs, type StreamSettings } from './names.ts'
import { createPayloads, type PayloadVersions } from './payload.ts'
import { createServerTime, type ServerTime } from './server-time.ts'
import { createNatsWork, type NatsWork, type WorkParts } from './work.ts'

export type { NatsAddress } from './connection.ts'
export type { NatsDispatch } from './dispatch.ts'
export type { NatsWork } from './work.ts'

export interface NatsQueueOptions extends NatsAddress {
  /** What everything on the server begins with: fleets with other names know nothing of each other. */
  queueName: string
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

export async function openNatsQueue(options: NatsQueueOptions): Promise<NatsQueue> {
  const { queueName, name: who, replicas = 1, onMistake, versions } = options
  const { ackWaitMs = ACK_WAIT_MS, tasksKeptMs = TASKS_KEPT_MS } = options
  const settings: StreamSettings = { replicas, ackWaitMs, tasksKeptMs }
  const link = await connectNats(options)
  try {
    await makeStreams(link, queueName, settings)
    const time = await createServerTime(link, queueName, who)
    link.onAgain(() => makeStreams(link, queueName, settings).then(time.measure))
    const { Objm } = link.modules.objects
    const objects = () => new Objm(link.nc).open(queueNames(queueName).objects)
    const parts = {
      link,
      queueName,
      who,
      time,
      ackWaitMs,
      rememberedMs: rememberedMs(tasksKeptMs),
      onMistake,
      payloads: createPayloads(link.modules, objects, versions),
    }
    return {
      link,
      time,
      dispatch: (more = {}) => createNatsDispatch({ ...parts, ...more }),
      work: (more) => createNatsWork({ ...parts, ...more }),
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
