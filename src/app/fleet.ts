/**
 * The processes of a fleet, and what is plugged in where:
 *
 *               controller   fetcher    indexer   page, API   store    queue
 *   controller  yes          -          -        -           write    nats, by bucket
 *   fetcher     -            yes        -        -           -        nats
 *   indexer     -            -          yes      -           write    nats, to hear of news
 *   serve       -            -          -        yes         write    nats, for what hubs bring
 * A fetcher opens no store, even if its settings name one.
 */
import { systemClock } from '../clocks/system-clock.ts'
import {
  beatUntil,
  createAnalysisThread,
  createCrawler,
  createDocumentReader,
  createFront,
  createKeeping,
  createTerminal,
  type Front,
  isFleetNews,
  type Keeping,
  READING_MODULE,
  type RunningCrawler,
} from '../crawl/index.ts'
import { type Millis, SECOND, type Task } from '../model/index.ts'
import {
  type Clock,
  type Fleet,
  type FleetMember,
  type FleetRole,
  type Perform,
  QueueError,
  rolesOf,
  type SeenMember,
  terminalsAside,
} from '../ports/index.ts'
import type { NatsQueue } from '../queues/nats/index.ts'
import { createThread } from '../runtime/function-thread.ts'
import { openArchive } from './archive.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { startHealth, untilUnusable } from './health.ts'
import { memberName } from './member-name.ts'
import type { Probes } from './outage-log.ts'
import { isServer, openStoreAt } from './store-at.ts'
import { VERSION } from './version.ts'
import {
  addingSettings,
  budgetSettings,
  crawlSettings,
  groupingSettings,
  httpNet,
  type OpenStore,
  type Overrides,
  retentionSettings,
} from './wire.ts'

interface Joined {
  queue: NatsQueue
  fleet: Fleet
  member: Pick<FleetMember, 'name' | 'version' | 'region'>
  isConnected: () => Promise<void>
  /** Answers supervisors from now on; resolves to what ends that. */
  serveHealth(probes: Probes): Promise<() => Promise<void>>
  /** Runs a role until the signal aborts; rejects when NATS refuses us for good. */
  whileConnected<T>(signal: AbortSignal, role: (signal: AbortSignal) => Promise<T>): Promise<T>
  leave(): Promise<void>
}

type OnMistake = (error: unknown, doing: string) => void

/** As deploy/nats/nats.conf allows it. */
const HEARS = { controller: ['wake', 'ask'], fetcher: [], indexer: ['told'], server: ['told'] } as const

const GRACE_MS: Millis = 20 * SECOND
const GATHER_MS = 50

/** Throws a ConfigError where there is no queue, a QueueError where it cannot be reached. */
async function join(role: FleetRole, config: Config, clock: Pick<Clock, 'now'>, onMistake: OnMistake): Promise<Joined> {
  if (!config.queue)
    throw new ConfigError(
      'a fleet process needs a queue, and none is set',
      'set --queue nats://host:4222 or FRESHET_QUEUE; freshet run needs none',
    )
  const name = memberName(config)
  const { queueCa: caFile, queueCert: certFile, queueKey: keyFile, queueCredentials, queueName } = config
  const hasTls = caFile || certFile || keyFile
  const nats = await import('../queues/nats/index.ts')
  const { createNatsFleet } = await import('../fleet/nats-fleet.ts')
  const queue = await nats.openNatsQueue({
    servers: config.queue.split(',').map((one) => one.trim()),
    name,
    queueName,
    inboxPrefix: `_INBOX.${role}`,
    streams: role === 'controller' ? 'create' : role === 'fetcher' ? 'wait' : 'none',
    replicas: config.queueReplicas,
    ackWaitMs: config.queueWait,
    tasksKeptMs: config.lease,
    ...(queueCredentials && { credentialsFile: queueCredentials }),
    ...(hasTls && { tls: { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) } }),
    onMistake: (error) => onMistake(error, 'carrying tasks and outcomes'),
  })
  const said = createNatsFleet({ link: queue.link, queueName, clock, hears: HEARS[role] })
  let lastBeatAt: number | undefined
  const fleet: Fleet = {
    ...said,
    beat(member) {
      lastBeatAt = performance.now()
      said.beat(member)
    },
  }
  return {
    queue,
    fleet,
    member: { name, version: VERSION, ...(config.region && { region: config.region }) },
    async isConnected() {
      if (!queue.link.isUp()) throw new QueueError('NATS cannot be reached', 'see that it runs')
    },
    serveHealth: (probes) => startHealth({ address: config.health, lastBeatAt: () => lastBeatAt, probes }),
    async whileConnected(signal, role) {
      const ended = new AbortController()
      let lost: Error | undefined
      void queue.link.lost.then((error) => {
        lost = error
        ended.abort()
      })
      const answer = await role(AbortSignal.any([signal, ended.signal]))
      if (lost) throw lost
      return answer
    },
    async leave() {
      await fleet.close()
      await queue.close()
    },
  }
}

function shared(config: Config): Config {
  if (isServer(config.store)) return config
  throw new ConfigError(
    `${config.store} is a file, which only one process can use`,
    'use PostgreSQL: --store postgres://user:password@host/database, or FRESHET_STORE',
  )
}

export interface FleetController extends OpenStore {
  crawler: RunningCrawler
  name: string
  run: RunningCrawler['run']
  probes: Probes
  close(graceMs?: Millis): Promise<void>
}

export async function openController(
  config: Config,
  onMistake: OnMistake,
  world: Overrides = {},
): Promise<FleetController> {
  const clock = world.clock ?? systemClock()
  const { store, search, library } = await openStoreAt(shared(config), { mode: 'write', now: clock.now })
  const joined = await join('controller', config, clock, onMistake).catch(async (error) => {
    await store.close()
    throw error
  })
  const { queue, fleet, member, isConnected, serveHealth, whileConnected, leave } = joined
  const probes = { store: store.newestEntryId, queue: isConnected }
  const dispatch = queue.dispatch({
    byBucket: true,
    clock,
    gatherMs: GATHER_MS,
    onNonsense: (from, what) => crawler.crew?.nonsense(from, what),
  })
  const thread = createThread({ module: READING_MODULE })
  const crawler: RunningCrawler = createCrawler({
    store,
    search,
    queue: dispatch,
    clock,
    ...crawlSettings(config, world),
    read: createDocumentReader({ thread }).read,
    ownerName: member.name,
    among: { fleet, member },
  })
  return {
    ...rolesOf(store),
    search,
    clock,
    ...(library && { library }),
    crawler,
    name: member.name,
    async run(signal) {
      const endHealth = await serveHealth(probes)
      return whileConnected(signal, crawler.run).finally(endHealth)
    },
    probes,
    async close(graceMs = GRACE_MS) {
      try {
        await crawler.stop(graceMs)
      } finally {
        await Promise.all([leave(), thread.close()])
        await store.close()
      }
    },
  }
}

export interface FleetTerminal {
  name: string
  /** Until the signal aborts; then what is under way is finished, for so long. */
  run(signal: AbortSignal, graceMs?: Millis): Promise<void>
  performed(): number
  probes: Probes
}

export async function openTerminal(
  config: Config,
  onMistake: OnMistake,
  world: Overrides = {},
): Promise<FleetTerminal> {
  const own = world.clock ?? systemClock()
  const joined = await join('fetcher', config, own, onMistake)
  const { queue, fleet, member, isConnected, serveHealth, whileConnected, leave } = joined
  const probes = { queue: isConnected }
  const clock = byServer(own, queue)
  const archive = config.archive ? await openArchive(config, clock) : undefined
  const net = world.net ?? httpNet(config, archive)
  const thread = createThread({ module: READING_MODULE })
  const { concurrency: hands } = config
  const isAwaited = async ({ bucket, lease }: Task) =>
    bucket === undefined || (await fleet.ask(bucket, { kind: 'awaited', lease })) === true
  const work = queue.work({ concurrency: hands, isAwaited })
  const perform = createTerminal({ net, clock, obeyRobots: config.robots, ...createDocumentReader({ thread }) })
  const startedAt = clock.now()
  let performed = 0
  const counted: Perform = async (task, signal, isLate) => {
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
      work.serve(counted)
      const beat = () => {
        work.rest(terminalsAside(fleet.members()).has(member.name))
        return { role: 'fetcher', ...member, startedAt, hands, load: work.load(), performed } as const
      }
      try {
        await whileConnected(signal, (ended) => beatUntil(ended, { fleet, clock: own }, beat))
      } finally {
        await endHealth()
        const late = new AbortController()
        const grace = setTimeout(() => late.abort(), signal.aborted ? graceMs : 0) // without NATS, no outcome can be sent
        await work.close(late.signal)
        clearTimeout(grace)
        await Promise.all([leave(), thread.close(), net.close(), archive?.close()])
      }
    },
  }
}

/** Whatever this machine's clock says: what terminals date is compared with what others have dated. */
function byServer(own: Clock, { time }: NatsQueue): Clock {
  return {
    now: () => time.now(),
    sleepUntil: (at, signal) => own.sleepUntil(own.now() + Math.max(0, at - time.now()), signal),
  }
}

export interface FleetKeeper extends OpenStore {
  keeping: Keeping
  name: string
  run(signal: AbortSignal): Promise<void>
  probes: Probes
}

export async function openKeeper(config: Config, onMistake: OnMistake, world: Overrides = {}): Promise<FleetKeeper> {
  const clock = world.clock ?? systemClock()
  const { store, search, library } = await openStoreAt(shared(config), {
    mode: 'write',
    now: clock.now,
    lasting: true,
    encryptExisting: true,
  })
  const joined = await join('indexer', config, clock, onMistake).catch(async (error) => {
    await store.close()
    throw error
  })
  const { fleet, member, isConnected, serveHealth, whileConnected, leave } = joined
  const probes = { store: store.newestEntryId, queue: isConnected }
  const { name } = member
  const startedAt = clock.now()
  const settings = { ...budgetSettings(config, world), ...groupingSettings(config), ...retentionSettings(config) }
  const thread = createAnalysisThread({ groupMemoryBytes: config.groupMemory })
  const keeping = createKeeping({ store, search, analysis: thread.analysis, clock, ...settings, name })
  fleet.onTold((what) => {
    if (isFleetNews(what) && what.kind === 'news') keeping.newsCame()
  })
  const close = async () => {
    await leave()
    await thread.close()
    await store.close()
  }
  return {
    ...rolesOf(store),
    search,
    clock,
    ...(library && { library }),
    keeping,
    name,
    probes,
    async run(signal) {
      const endHealth = await serveHealth(probes)
      const over = new AbortController()
      const keep = async (ended: AbortSignal) => {
        const beating = beatUntil(AbortSignal.any([ended, over.signal]), { fleet, clock }, () => {
          return { role: 'indexer', ...member, startedAt, duties: keeping.duties() }
        })
        try {
          await keeping.run(ended)
        } finally {
          over.abort() // else a keeper that gives up would go on saying that it lives
          await beating
        }
      }
      await whileConnected(signal, keep).finally(endHealth)
    },
    close,
  }
}

export interface FleetFront extends OpenStore {
  crawler: Front
  name: string
  /** Until the signal aborts. Rejects when the store or the queue refuses us for good: whoever supervises us starts us again. */
  run(signal: AbortSignal): Promise<void>
  probes: Probes
  /** Who is in the fleet. */
  members(): SeenMember[]
  announce(url: string): void
}

export async function openFront(config: Config, onMistake: OnMistake, world: Overrides = {}): Promise<FleetFront> {
  const clock = world.clock ?? systemClock()
  const { store, search, library } = await openStoreAt(shared(config), { mode: 'write', now: clock.now, lasting: true })
  const joined = await join('server', config, clock, onMistake).catch(async (error) => {
    await store.close()
    throw error
  })
  const { queue, fleet, member, isConnected, whileConnected, leave } = joined
  const dispatch = queue.dispatch({ byBucket: true })
  const crawler = createFront({
    store,
    clock,
    ...budgetSettings(config, world),
    ...addingSettings(config),
    groupWindowMs: config.groupWindow,
    among: { fleet, member },
    ...(config.publicUrl && { keepPushed: dispatch.keepPushed }),
  })
  return {
    ...rolesOf(store),
    search,
    clock,
    ...(library && { library }),
    crawler,
    name: member.name,
    members: fleet.members,
    announce: () => {},
    probes: { store: store.newestEntryId, queue: isConnected },
    async run(signal) {
      const over = new AbortController()
      await whileConnected(AbortSignal.any([signal, over.signal]), async (ended) => {
        const watching = untilUnusable(store, clock, ended).finally(() => over.abort())
        await Promise.all([crawler.run(AbortSignal.any([ended, over.signal])), watching])
      })
    },
    async close() {
      await dispatch.close()
      await leave()
      await store.close()
    },
  }
}

/** Listens for as long as everybody has said something, and tells who is there. */
export async function listFleet(config: Config): Promise<SeenMember[]> {
  const clock = systemClock()
  const { fleet, leave } = await join('server', config, clock, () => {})
  await clock.sleepUntil(clock.now() + LISTENS_MS)
  const members = fleet.members()
  await leave()
  return members
}

const LISTENS_MS: Millis = 2.5 * SECOND
