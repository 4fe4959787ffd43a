/**
 * Everything a fleet has on a NATS server, by its name: two streams, an object store for large messages, and subjects. Controllers create
 * what is missing and leave the rest unchanged; fetchers wait until it exists. The permissions of each role are in deploy/nats/nats.conf.
 *
 *   NAME.tasks.KIND       the stream of tasks, a work queue: each task goes to one fetcher
 *   NAME.outcomes.BUCKET  the stream of outcomes; one consumer per bucket delivers to
 *   NAME.bring.BUCKET     the subject the bucket's current owner subscribes to
 *   NAME.clock.WHO        for measuring the server's clock
 *   NAME.fleet.>          messages that are not stored: heartbeats, wake-ups, events
 */
import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream'
import { type Bucket, DAY, HOUR, MINUTE, type Millis } from '../../model/index.ts'
import { QueueError } from '../../ports/index.ts'
import type { NatsLink } from './connection.ts'

export interface QueueNames {
  tasks: string
  outcomes: string
  clock: string
  objects: string
  /** The subjects of all outcomes. */
  allOutcomes: string
  taskSubject(kind: string): string
  outcomeSubject(bucket: Bucket | undefined): string
  deliverSubject(bucket: Bucket | undefined): string
  consumer(bucket: Bucket | undefined): string
  clockSubject(who: string): string
  fleetSubject(what: string): string
}

/** The consumer of the task stream, and its name before 0.3.0. */
export const FETCHERS_CONSUMER = 'fetchers'
const FORMER_FETCHERS_CONSUMER = 'terminals'

export function queueNames(name: string): QueueNames {
  const upper = name.toUpperCase()
  const bucketName = (bucket: Bucket | undefined) => (bucket === undefined ? 'any' : String(bucket))
  return {
    tasks: `${upper}_TASKS`,
    outcomes: `${upper}_OUTCOMES`,
    clock: `${upper}_CLOCK`,
    objects: `${upper}_BODIES`,
    allOutcomes: `${name}.outcomes.*`,
    taskSubject: (kind) => `${name}.tasks.${kind}`,
    outcomeSubject: (bucket) => `${name}.outcomes.${bucketName(bucket)}`,
    deliverSubject: (bucket) => `${name}.bring.${bucketName(bucket)}`,
    consumer: (bucket) => `bucket-${bucketName(bucket)}`,
    clockSubject: (who) => `${name}.clock.${who}`,
    fleetSubject: (what) => `${name}.fleet.${what}`,
  }
}

/** NATS names may only contain letters, digits, - and _. */
export function subjectWord(text: string): string {
  return text.replace(/[^\w-]/g, '_')
}

export const NANOS_PER_MS = 1_000_000
const MAX_TASKS = 100_000 // beyond that, senders have to wait
const MAX_OUTCOMES = 1_000_000
const OUTCOMES_RETENTION_MS: Millis = DAY // for an absent owner; no task waits longer than its lease
const OBJECTS_RETENTION_MS: Millis = DAY
const CLOCKS_RETENTION_MS: Millis = HOUR

export interface StreamSettings {
  /** Number of servers of the cluster that store everything. */
  replicas: number
  /** How long a task may wait for a fetcher. */
  taskRetentionMs: Millis
  /** A task or outcome is redelivered after this time without a sign of life. */
  ackWaitMs: Millis
}

/** How long the server detects duplicates. Cannot exceed the time it keeps a task. */
export function deduplicationMs(taskRetentionMs: Millis): Millis {
  return Math.min(taskRetentionMs, 2 * MINUTE)
}

export async function createFleetStreams(
  { nc, modules }: NatsLink,
  name: string,
  settings: StreamSettings,
): Promise<void> {
  const names = queueNames(name)
  const { jetstreamManager, RetentionPolicy, StorageType, DiscardPolicy, AckPolicy } = modules.jetstream
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const streamDefaults = { num_replicas: settings.replicas, storage: StorageType.File, discard: DiscardPolicy.New }
  await makeStream(jsm, {
    ...streamDefaults,
    name: names.tasks,
    subjects: [`${name}.tasks.*`],
    retention: RetentionPolicy.Workqueue,
    max_msgs: MAX_TASKS,
    max_age: settings.taskRetentionMs * NANOS_PER_MS,
    duplicate_window: deduplicationMs(settings.taskRetentionMs) * NANOS_PER_MS,
  })
  await makeStream(jsm, {
    ...streamDefaults,
    name: names.outcomes,
    subjects: [names.allOutcomes],
    retention: RetentionPolicy.Workqueue,
    max_msgs: MAX_OUTCOMES,
    max_age: OUTCOMES_RETENTION_MS * NANOS_PER_MS,
    duplicate_window: settings.taskRetentionMs * NANOS_PER_MS,
  })
  await makeStream(jsm, {
    name: names.clock,
    subjects: [`${name}.clock.*`],
    storage: StorageType.Memory,
    max_msgs_per_subject: 1,
    max_age: CLOCKS_RETENTION_MS * NANOS_PER_MS,
  })
  const addConsumer = () =>
    jsm.consumers.add(names.tasks, {
      durable_name: FETCHERS_CONSUMER,
      ack_policy: AckPolicy.Explicit,
      ack_wait: settings.ackWaitMs * NANOS_PER_MS,
      max_ack_pending: MAX_TASKS,
      max_deliver: MAX_DELIVERIES,
    })
  await addConsumer().catch(async (error: unknown) => {
    // A work queue has one consumer: its former one, of a version before, is replaced. Its tasks stay.
    if (!(await jsm.consumers.delete(names.tasks, FORMER_FETCHERS_CONSUMER).catch(() => false))) throw error
    await addConsumer()
  })
  const { Objm } = modules.objects
  await new Objm(nc).create(names.objects, { ttl: OBJECTS_RETENTION_MS * NANOS_PER_MS, replicas: settings.replicas })
}

const POLL_INTERVAL_MS: Millis = 500

/** For roles that may not create streams: waits until a controller has created them. */
export async function waitForStreams({ nc, modules }: NatsLink, name: string, timeoutMs: Millis): Promise<void> {
  const { tasks, outcomes, clock } = queueNames(name)
  const jsm = await modules.jetstream.jetstreamManager(nc, { checkAPI: false })
  for (const until = performance.now() + timeoutMs; ; ) {
    try {
      await Promise.all([tasks, outcomes, clock].map((stream) => jsm.streams.info(stream)))
      return
    } catch (error) {
      if (performance.now() > until)
        throw new QueueError(
          `the streams of "${name}" are not on the NATS server`,
          'start a freshet controller, which creates them, and check --queue-name',
          { cause: error },
        )
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}

/** Limits redelivery, so that a task that crashes fetchers does not reach all of them. */
const MAX_DELIVERIES = 3

async function makeStream(jsm: JetStreamManager, config: Partial<StreamConfig> & { name: string }): Promise<void> {
  try {
    await jsm.streams.add(config as Parameters<JetStreamManager['streams']['add']>[0])
  } catch (error) {
    // It exists with other settings: from another version, or changed by the operator.
    if (!/already in use/i.test(String(error))) throw error
  }
}
