/**
 * The crawler as a server of a fleet uses it: commands are written to the store, and the owner of the feed is woken up. Events come from
 * the controllers, and the activity is the sum of what they report.
 */
import { bucketOf, type Feed, type Instant, type WebAddress } from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import { type Clock, rolesOf, type Store, type StorePushedDocument } from '../../ports/index.ts'
import type { Activity, CrawlEvent, Crawler } from '../crawler.ts'
import { eventFromJson, type FleetMessage, isFleetMessage } from '../fleet/event-messages.ts'
import type { FleetConnection } from '../fleet/fleet-membership.ts'
import { sendHeartbeats } from '../fleet/heartbeat.ts'
import type { Grouping } from '../grouping/similarity-indexes.ts'
import type { ArticlePolicy } from '../recorder/articles-to-fetch.ts'
import type { BudgetOptions } from '../scheduler/budget.ts'
import { createSharedBudget } from '../scheduler/shared-budget.ts'
import { createPushEndpoint } from '../websub/push-endpoint.ts'
import { createCommands } from './commands.ts'
import { zeroTotals } from './totals.ts'

export interface FleetClientParts extends BudgetOptions, Pick<Grouping, 'groupWindowMs'> {
  store: Store
  clock: Clock
  strategy: string
  articles?: ArticlePolicy
  fleetConnection: FleetConnection
  /** Absent if hubs cannot reach this server. */
  keepPushed?: StorePushedDocument
}

export interface FleetClient extends Crawler {
  /** Sends heartbeats until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

export function createFleetClient({ store, ...rest }: FleetClientParts): FleetClient {
  const parts = { ...rest, ...rolesOf(store) }
  const { clock, fleetConnection, keepPushed } = parts
  const { fleet, member } = fleetConnection
  const startedAt = clock.now()
  const listeners = new Set<(event: CrawlEvent) => void>()
  const budget = createSharedBudget(parts, { ...parts, share: () => 1 }, startedAt)
  const bucketOfFeed = ({ bucket, root }: Feed) => bucket ?? bucketOf(root)

  fleet.onBroadcast((message) => {
    const event = isFleetMessage(message) && message.kind === 'event' ? eventFromJson(message.event) : undefined
    if (event) for (const listener of listeners) listener(event)
  })

  const remoteController = {
    noteUserRequest: (id: Feed['id'], feed?: Feed) => fleet.wake(feed && bucketOfFeed(feed), id),
    async freeAt(url: WebAddress, now: Instant): Promise<Instant> {
      const answer = await fleet.ask(bucketOf(rootOf(url)), { kind: 'free-at', url }).catch(() => now)
      return typeof answer === 'number' ? Math.max(now, answer) : now
    },
  }
  /** When a controller was last seen; undefined if never. */
  let seenAt: Instant | undefined

  /** Reports a queue problem if all controllers are silent: a NATS server with a full disk delivers no heartbeats. */
  function activity(): Activity {
    const all = controllersIn(fleet.members())
    const sum = sumActivities(all, startedAt)
    if (all.length > 0) seenAt = clock.now()
    return seenAt === undefined || all.length > 0
      ? sum
      : { ...sum, queueRefusal: { ...NO_CONTROLLER, sinceAt: seenAt } }
  }

  const newWork: FleetMessage = { kind: 'news' }
  const commands = createCommands({
    ...parts,
    budget: { ...budget, begin: () => budget.updatePrice(clock.now()) }, // another process may have changed it
    controller: remoteController,
    wake: (feed) => fleet.wake(feed && bucketOfFeed(feed)),
    notifyBackgroundLoop: () => fleet.broadcast(newWork),
  })

  return {
    ...commands,
    activity,
    ...(keepPushed && { pushReceiver: createPushEndpoint({ ...parts, fleet, keepPushed }) }),
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    run: (signal) =>
      sendHeartbeats(signal, { fleet, clock }, () => {
        activity()
        return { role: 'server', ...member, startedAt }
      }),
  }
}

const NO_CONTROLLER = {
  message: 'no controller responds',
  hint: 'Start a controller if none runs. Otherwise check that NATS runs and that the JetStream disk is not full.',
}

function controllersIn(members: ReturnType<FleetConnection['fleet']['members']>): Partial<Activity>[] {
  return members.flatMap(({ role, details }) => (role === 'controller' && isActivity(details) ? [details] : []))
}

function isActivity(value: unknown): value is Partial<Activity> {
  return typeof value === 'object' && value !== null && 'totals' in value
}

/** The sum of all controllers, as if they were one. */
function sumActivities(all: Partial<Activity>[], startedAt: Instant): Activity {
  const totals = zeroTotals()
  for (const activity of all)
    for (const name of Object.keys(totals) as (keyof Activity['totals'])[])
      totals[name] += Number(activity.totals?.[name] ?? 0)
  const refusal = all.find((activity) => activity.refusal)?.refusal
  const queueRefusal = all.find((activity) => activity.queueRefusal)?.queueRefusal
  const buckets = all.flatMap((activity) => activity.buckets ?? [])
  const notTakenUpSince = buckets.flatMap(({ sinceAt }) => sinceAt ?? [])
  return {
    buckets: {
      owned: buckets.reduce((sum, status) => sum + status.owned, 0),
      notTakenUp: buckets.reduce((sum, status) => sum + status.notTakenUp, 0),
      ...(notTakenUpSince.length > 0 && { sinceAt: Math.min(...notTakenUpSince) }),
    },
    startedAt: all.reduce((first, activity) => Math.min(first, activity.startedAt ?? first), startedAt),
    ...(refusal && { refusal }),
    ...(queueRefusal && { queueRefusal }),
    inFlight: all.flatMap(({ inFlight = [] }) => inFlight),
    totals,
    internalErrors: all.flatMap(({ internalErrors = [] }) => internalErrors).sort((a, b) => b.at - a.at),
  }
}
