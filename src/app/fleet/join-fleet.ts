/** Joins a fleet: connects a process to NATS and reports its heartbeats. */
import { type Clock, type Fleet, type FleetMember, type FleetRole, QueueError } from '../../ports/index.ts'
import type { NatsQueue } from '../../queues/nats/index.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { startHealth } from '../health.ts'
import { memberName } from '../member-name.ts'
import type { Probes } from '../outage-log.ts'
import { isServer } from '../store-at.ts'
import { VERSION } from '../version.ts'

export interface JoinedFleet {
  queue: NatsQueue
  fleet: Fleet
  member: Pick<FleetMember, 'name' | 'version' | 'region'>
  isConnected: () => Promise<void>
  /** Serves the health endpoints. Resolves to a function that stops them. */
  serveHealth(probes: Probes): Promise<() => Promise<void>>
  /** Runs a role until the signal aborts. Rejects if NATS refuses the connection permanently. */
  whileConnected<T>(signal: AbortSignal, role: (signal: AbortSignal) => Promise<T>): Promise<T>
  leave(): Promise<void>
}

export type OnMistake = (error: unknown, doing: string) => void

/** deploy/nats/nats.conf has the permissions for these subjects. */
const SUBSCRIBED_SUBJECTS = {
  controller: ['wake', 'query'],
  fetcher: [],
  indexer: ['events'],
  server: ['events'],
} as const

/** Throws a ConfigError if no queue is set, and a QueueError if it is unreachable. */
export async function joinFleet(
  role: FleetRole,
  config: Config,
  clock: Pick<Clock, 'now'>,
  onMistake: OnMistake,
): Promise<JoinedFleet> {
  if (!config.queue)
    throw new ConfigError(
      'a fleet process needs a queue, but none is set',
      'set --queue nats://host:4222 or FRESHET_QUEUE; freshet run needs none',
    )
  const name = memberName(config)
  const { queueCa: caFile, queueCert: certFile, queueKey: keyFile, queueCredentials, queueName } = config
  const hasTls = caFile || certFile || keyFile
  const nats = await import('../../queues/nats/index.ts')
  const { createNatsFleet } = await import('../../fleet/nats-fleet.ts')
  const queue = await nats.openNatsQueue({
    servers: config.queue.split(',').map((one) => one.trim()),
    name,
    queueName,
    inboxPrefix: `_INBOX.${role}`,
    streams: role === 'controller' ? 'create' : role === 'fetcher' ? 'wait' : 'none',
    replicas: config.queueReplicas,
    ackWaitMs: config.queueWait,
    taskRetentionMs: config.lease,
    ...(queueCredentials && { credentialsFile: queueCredentials }),
    ...(hasTls && { tls: { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) } }),
    onInternalError: (error) => onMistake(error, 'carrying tasks and outcomes'),
  })
  const natsFleet = createNatsFleet({ link: queue.link, queueName, clock, subscribesTo: SUBSCRIBED_SUBJECTS[role] })
  let lastBeatAt: number | undefined
  const fleet: Fleet = {
    ...natsFleet,
    heartbeat(member) {
      lastBeatAt = performance.now()
      natsFleet.heartbeat(member)
    },
  }
  return {
    queue,
    fleet,
    member: { name, version: VERSION, ...(config.region && { region: config.region }) },
    async isConnected() {
      if (!queue.link.isUp()) throw new QueueError('NATS cannot be reached', 'check that it is running')
    },
    serveHealth: (probes) => startHealth({ address: config.health, lastBeatAt: () => lastBeatAt, probes }),
    async whileConnected(signal, role) {
      const ended = new AbortController()
      let permanentError: Error | undefined
      void queue.link.lost.then((error) => {
        permanentError = error
        ended.abort()
      })
      const result = await role(AbortSignal.any([signal, ended.signal]))
      if (permanentError) throw permanentError
      return result
    },
    async leave() {
      await fleet.close()
      await queue.close()
    },
  }
}

export function assertSharedStore(config: Config): Config {
  if (isServer(config.store)) return config
  throw new ConfigError(
    `${config.store} is a file, which only one process can use`,
    'use PostgreSQL: --store postgres://user:password@host/database, or FRESHET_STORE',
  )
}
