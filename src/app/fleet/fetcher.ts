/** The fetcher of a fleet: performs tasks from NATS. It opens no store, even if its settings name one. */
import { systemClock } from '../../clocks/system-clock.ts'
import { createDocumentReader, createFetcher, READER_MODULE, sendHeartbeats } from '../../crawl/index.ts'
import { type Millis, SECOND, type Task } from '../../model/index.ts'
import { type Clock, type FleetMember, type PerformTask, quarantinedFetchers } from '../../ports/index.ts'
import type { NatsQueue } from '../../queues/nats/index.ts'
import { createThread } from '../../runtime/function-thread.ts'
import { openArchive } from '../archive.ts'
import { httpNet, type Overrides } from '../composition.ts'
import type { Config } from '../config.ts'
import type { Probes } from '../outage-log.ts'
import { joinFleet, type OnMistake } from './join-fleet.ts'

const GRACE_MS: Millis = 20 * SECOND

export interface FleetFetcher {
  name: string
  /** Runs until the signal aborts; then finishes tasks in flight within the grace time. */
  run(signal: AbortSignal, graceMs?: Millis): Promise<void>
  performed(): number
  probes: Probes
}

export async function openFetcher(
  config: Config,
  onMistake: OnMistake,
  overrides: Overrides = {},
): Promise<FleetFetcher> {
  const systemTime = overrides.clock ?? systemClock()
  const membership = await joinFleet('fetcher', config, systemTime, onMistake)
  const { queue, fleet, member, isConnected, serveHealth, whileConnected, leave } = membership
  const probes = { queue: isConnected }
  const clock = serverClock(systemTime, queue)
  const archive = config.archive ? await openArchive(config, clock) : undefined
  const net = overrides.net ?? httpNet(config, archive)
  const thread = createThread({ module: READER_MODULE })
  const { concurrency: slots } = config
  const isAwaited = async ({ bucket, lease }: Task) =>
    bucket === undefined || (await fleet.ask(bucket, { kind: 'awaited', lease })) === true
  const work = queue.work({ concurrency: slots, isAwaited })
  const perform = createFetcher({ net, clock, obeyRobots: config.robots, ...createDocumentReader({ thread }) })
  const startedAt = clock.now()
  let performed = 0
  const performAndCount: PerformTask = async (task, signal, isLate) => {
    const outcome = await perform(task, signal, isLate)
    performed++
    return outcome
  }
  return {
    name: member.name,
    performed: () => performed,
    probes,
    async run(signal, graceMs = GRACE_MS) {
      const endHealth = await serveHealth(probes)
      work.serve(performAndCount)
      const createHeartbeat = (): FleetMember => {
        work.rest(quarantinedFetchers(fleet.members()).has(member.name))
        return {
          role: 'fetcher',
          ...member,
          startedAt,
          slots,
          activeTasks: work.load(),
          completedTasks: performed,
        }
      }
      try {
        await whileConnected(signal, (ended) => sendHeartbeats(ended, { fleet, clock: systemTime }, createHeartbeat))
      } finally {
        await endHealth()
        const graceOver = new AbortController()
        const grace = setTimeout(() => graceOver.abort(), signal.aborted ? graceMs : 0) // without NATS no outcome can be sent
        await work.close(graceOver.signal)
        clearTimeout(grace)
        await Promise.all([leave(), thread.close(), net.close(), archive?.close()])
      }
    },
  }
}

/** Follows the clock of the NATS server, because dates of fetchers are compared with those of other processes. */
function serverClock(systemTime: Clock, { time }: NatsQueue): Clock {
  return {
    now: () => time.now(),
    sleepUntil: (at, signal) => systemTime.sleepUntil(systemTime.now() + Math.max(0, at - time.now()), signal),
  }
}
