/**
 * The crawl as a server sees it that crawls nothing: what people want is written into the store, and whoever owns the feed is woken
 * up. What happens is heard from the controllers, and how it stands is added up from what they say of themselves.
 */
import { bucketOf, type Feed, type Instant, type WebAddress } from '../../model/index.ts'
import { rootOf } from '../../politeness/index.ts'
import { type Clock, type KeepPushed, rolesOf, type Store } from '../../ports/index.ts'
import type { Activity, CrawlEvent, Crawler } from '../crawler.ts'
import { eventFromJson, type FleetNews, isFleetNews } from '../fleet/event-messages.ts'
import type { FleetMembership } from '../fleet/fleet-membership.ts'
import { beatUntil } from '../fleet/heartbeat.ts'
import type { Grouping } from '../grouping/similarity-indexes.ts'
import type { ArticlePolicy } from '../recorder/articles-to-fetch.ts'
import type { BudgetOptions } from '../scheduler/budget.ts'
import { createFollowingBudget } from '../scheduler/shared-budget.ts'
import { createPushDoor } from '../websub/push-endpoint.ts'
import { createCommands } from './commands.ts'
import { noTotals } from './totals.ts'

export interface FrontParts extends BudgetOptions, Pick<Grouping, 'groupWindowMs'> {
  store: Store
  clock: Clock
  strategy: string
  articles?: ArticlePolicy
  among: FleetMembership
  /** Absent where hubs cannot reach us. */
  keepPushed?: KeepPushed
}

export interface Front extends Crawler {
  /** Says that it lives, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

export function createFront({ store, ...others }: FrontParts): Front {
  const parts = { ...others, ...rolesOf(store) }
  const { clock, among, keepPushed } = parts
  const { fleet, member } = among
  const startedAt = clock.now()
  const listeners = new Set<(event: CrawlEvent) => void>()
  const budget = createFollowingBudget(parts, { ...parts, share: () => 1 }, startedAt)
  const bucketOfFeed = ({ bucket, root }: Feed) => bucket ?? bucketOf(root)

  fleet.onTold((what) => {
    const event = isFleetNews(what) && what.kind === 'event' ? eventFromJson(what.event) : undefined
    if (event) for (const listener of listeners) listener(event)
  })

  const owner = {
    askedFor: (id: Feed['id'], feed?: Feed) => fleet.wake(feed && bucketOfFeed(feed), id),
    async freeAt(url: WebAddress, now: Instant): Promise<Instant> {
      const answer = await fleet.ask(bucketOf(rootOf(url)), { kind: 'free-at', url }).catch(() => now)
      return typeof answer === 'number' ? Math.max(now, answer) : now
    },
  }
  /** When the last of all controllers was heard of, if one ever was. */
  let heardAt: Instant | undefined

  /** A server whose disk is full carries nothing, not even who lives. */
  function activity(): Activity {
    const all = controllersIn(fleet.members())
    const added = activityOf(all, startedAt)
    if (all.length > 0) heardAt = clock.now()
    return heardAt === undefined || all.length > 0
      ? added
      : { ...added, queueRefusal: { ...SILENCE, sinceAt: heardAt } }
  }

  const news: FleetNews = { kind: 'news' }
  const commands = createCommands({
    ...parts,
    budget: { ...budget, begin: () => budget.turn(clock.now()) }, // others may have changed it
    controller: owner,
    wake: (feed) => fleet.wake(feed && bucketOfFeed(feed)),
    newsCame: () => fleet.tell(news),
  })

  return {
    ...commands,
    activity,
    ...(keepPushed && { pushReceiver: createPushDoor({ ...parts, fleet, keepPushed }) }),
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    run: (signal) =>
      beatUntil(signal, { fleet, clock }, () => {
        activity()
        return { role: 'server', ...member, startedAt }
      }),
  }
}

const SILENCE = {
  words: 'no controller is heard of',
  hint: 'Start one, if none runs; else look whether NATS does, and whether the disk of JetStream is full.',
}

function controllersIn(members: ReturnType<FleetMembership['fleet']['members']>): Partial<Activity>[] {
  return members.flatMap(({ role, more }) => (role === 'controller' && isActivity(more) ? [more] : []))
}

function isActivity(value: unknown): value is Partial<Activity> {
  return typeof value === 'object' && value !== null && 'totals' in value
}

/** As if all controllers were one. */
function activityOf(all: Partial<Activity>[], startedAt: Instant): Activity {
  const totals = noTotals()
  for (const one of all)
    for (const name of Object.keys(totals) as (keyof Activity['totals'])[])
      totals[name] += Number(one.totals?.[name] ?? 0)
  const refusal = all.find((one) => one.refusal)?.refusal
  const queueRefusal = all.find((one) => one.queueRefusal)?.queueRefusal
  const buckets = all.flatMap((one) => one.buckets ?? [])
  const notTakenUpSince = buckets.flatMap(({ sinceAt }) => sinceAt ?? [])
  return {
    buckets: {
      owned: buckets.reduce((sum, one) => sum + one.owned, 0),
      notTakenUp: buckets.reduce((sum, one) => sum + one.notTakenUp, 0),
      ...(notTakenUpSince.length > 0 && { sinceAt: Math.min(...notTakenUpSince) }),
    },
    startedAt: all.reduce((first, one) => Math.min(first, one.startedAt ?? first), startedAt),
    ...(refusal && { refusal }),
    ...(queueRefusal && { queueRefusal }),
    underWay: all.flatMap(({ underWay = [] }) => underWay),
    totals,
    mistakes: all.flatMap(({ mistakes = [] }) => mistakes).sort((a, b) => b.at - a.at),
  }
}
