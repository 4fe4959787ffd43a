/** `/metrics`: how it stands, for Prometheus. It asks for nothing that costs more where more is stored. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Hono } from 'hono'
import type { Activity } from '../../crawl/index.ts'
import { type Instant, type Market, SECOND, type ThreadStatus } from '../../model/index.ts'
import { pollsToday } from '../../polling/index.ts'
import type { Counts } from '../../ports/index.ts'
import { budgetInForce, type FleetMembers, fleetMembers } from '../../views/index.ts'
import { createArrivalDelays } from '../metrics/arrival-delays.ts'
import { byLabel, counter, gauge, METRICS_TYPE, type Metric, metricsText } from '../metrics/text-format.ts'
import type { ServerParts } from '../server-parts.ts'

const NANOSECONDS = 1e9

export function metricsRoutes(parts: ServerParts): Hono {
  const { catalogue, marketBook, crawler, clock, closing, pollsPerDay, members, threads } = parts
  const app = new Hono()
  const arrivals = createArrivalDelays(catalogue)
  const joined = { copy: 0, story: 0 }
  let loopDelay: ReturnType<typeof monitorEventLoopDelay> | undefined

  const stopCounting = crawler.onEvent((event) => {
    if (event.kind === 'joined') joined[event.level]++
  })
  closing?.addEventListener('abort', () => {
    stopCounting()
    loopDelay?.disable()
  })

  /** Since the last look; measured once somebody has looked. */
  function loopMetrics(): Metric[] {
    if (!loopDelay) {
      loopDelay = monitorEventLoopDelay()
      loopDelay.enable()
      return []
    }
    const [p50, p99, max] = [loopDelay.percentile(50), loopDelay.percentile(99), loopDelay.max]
    loopDelay.reset()
    const quantiles = { p50: p50 / NANOSECONDS, p99: p99 / NANOSECONDS, max: max / NANOSECONDS }
    return [byLabel({ name: 'freshet_event_loop_delay_seconds', type: 'gauge', help: LOOP_HELP }, 'at', quantiles)]
  }

  app.get('/', async (c) => {
    const now = clock.now()
    const [counts, market, resting, [next], arrived, budget] = await Promise.all([
      catalogue.counts(),
      marketBook.market(),
      catalogue.restingHosts(now, 1),
      catalogue.feeds({ order: 'due', limit: 1 }),
      arrivals.metric(),
      budgetInForce(marketBook, pollsPerDay),
    ])
    const activity = crawler.activity()
    const lateMs = next ? Math.max(0, now - next.schedule.dueAt) : 0
    const metrics = [
      ...workMetrics(activity),
      arrived,
      ...storeMetrics(counts),
      gauge('freshet_due_late_seconds', 'For how long the feed that is due first has been due.', lateMs / SECOND),
      gauge('freshet_hosts_resting', 'Hosts in trouble, which are left alone for a while.', resting.all),
      byLabel({ name: 'freshet_entries_joined_total', type: 'counter', help: JOINED_HELP }, 'level', joined),
      ...budgetMetrics(market, budget === 'auto' ? undefined : budget, now),
      ...(members ? fleetMetrics(fleetMembers(members())) : []),
      ...loopMetrics(),
      ...threadMetrics(threads?.() ?? []),
      gauge('process_resident_memory_bytes', 'What the process occupies.', process.memoryUsage.rss()),
      gauge('process_start_time_seconds', 'When the crawl began.', activity.startedAt / SECOND),
    ]
    return c.body(metricsText(metrics), 200, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' })
  })
  return app
}

const NOT_TAKEN_UP_HELP =
  'Buckets that a controller owns and does not work on, because taking them up has not succeeded.'
const LOOP_HELP = 'How late timers were, since the look before.'
const JOINED_HELP = 'Entries that were found to be a copy, or a telling of a story, of others.'

function workMetrics({ totals, underWay, refusal, queueRefusal, buckets }: Activity): Metric[] {
  const { polls, notModified, failures, fresh, changed, bytes, gaps, articles, articleFailures, mistakes } = totals
  const results = { read: polls - notModified - failures, 'not-modified': notModified, failed: failures }
  const tasks = { poll: 0, seek: 0, discover: 0, hub: 0, article: 0 }
  for (const { kind } of underWay) tasks[kind]++
  return [
    byLabel({ name: 'freshet_polls_total', type: 'counter', help: 'Polls, by what came of them.' }, 'result', results),
    counter('freshet_entries_new_total', 'Entries that were new.', fresh),
    counter('freshet_entries_changed_total', 'Entries that said something else.', changed),
    counter('freshet_gaps_total', 'Polls after which entries may have been missed.', gaps),
    counter('freshet_received_bytes_total', 'Bytes of bodies, as they came.', bytes),
    byLabel(
      { name: 'freshet_pages_total', type: 'counter', help: 'Pages of articles, by what came of them.' },
      'result',
      { read: articles, failed: articleFailures },
    ),
    counter('freshet_mistakes_total', 'Mistakes of ours.', mistakes),
    byLabel({ name: 'freshet_tasks_under_way', type: 'gauge', help: 'Requests under way.' }, 'kind', tasks),
    gauge('freshet_store_refuses', '1 while the store does not take what it is given.', refusal ? 1 : 0),
    gauge('freshet_queue_refuses', '1 while the queue does not take what it is given.', queueRefusal ? 1 : 0),
    ...(buckets ? [gauge('freshet_buckets_not_taken_up', NOT_TAKEN_UP_HELP, buckets.notTakenUp)] : []),
  ]
}

function storeMetrics({ feeds, troubled, looking, entries, articles, waiting, bytes }: Counts): Metric[] {
  const lines = { index: waiting.index, groups: waiting.groups, pages: articles.waiting, sources: looking }
  return [
    byLabel({ name: 'freshet_feeds', type: 'gauge', help: 'Feeds, by state.' }, 'state', { ...feeds }),
    gauge('freshet_feeds_troubled', 'Active feeds whose last poll failed.', troubled),
    gauge('freshet_entries', 'Entries that are kept.', entries),
    byLabel({ name: 'freshet_waiting', type: 'gauge', help: 'What waits for its turn.' }, 'line', lines),
    gauge('freshet_store_bytes', 'What the store occupies.', bytes),
  ]
}

function fleetMetrics({ terminals, others }: FleetMembers): Metric[] {
  const sum = (of: 'hands' | 'load' | 'performed') => terminals.reduce((all, one) => all + (one[of] ?? 0), 0)
  const aside = terminals.filter((one) => one.aside).length
  const roles = { controller: 0, keeper: 0, server: 0, terminal: terminals.length }
  for (const { role } of others) roles[role]++
  const states = { 'given-tasks': terminals.length - aside, 'set-aside': aside }
  const off = terminals.map(({ clockAheadMs }) => Math.abs(clockAheadMs))
  const buckets = others.reduce((all, one) => all + (one.buckets ?? 0), 0)
  return [
    byLabel({ name: 'freshet_processes', type: 'gauge', help: 'Processes of the fleet, by role.' }, 'role', roles),
    byLabel(
      { name: 'freshet_terminals', type: 'gauge', help: 'Terminals, by whether they are believed.' },
      'state',
      states,
    ),
    gauge('freshet_terminal_hands', 'How many tasks all terminals together perform at once, at most.', sum('hands')),
    gauge('freshet_terminal_load', 'How many they perform now.', sum('load')),
    gauge(
      'freshet_terminal_clock_off_seconds',
      'By how much the worst clock of a terminal is off.',
      Math.max(0, ...off) / SECOND,
    ),
    gauge('freshet_buckets_owned', 'Buckets of hosts that some controller looks after, of 256.', buckets),
  ]
}

function threadMetrics(threads: ThreadStatus[]): Metric[] {
  const each = (name: string, type: Metric['type'], help: string, of: (one: ThreadStatus) => number) =>
    byLabel({ name, type, help }, 'thread', Object.fromEntries(threads.map((one) => [one.name, of(one)])))
  if (threads.length === 0) return []
  return [
    each('freshet_thread_calls_queued', 'gauge', 'Calls that wait for a thread or run in it.', ({ queued }) => queued),
    each(
      'freshet_thread_busy_ratio',
      'gauge',
      'Share of the last minute or two it was busy.',
      ({ busyShare }) => busyShare,
    ),
    each(
      'freshet_thread_longest_call_seconds',
      'gauge',
      'Longest call of the last minute or two.',
      ({ longestCallMs }) => longestCallMs / SECOND,
    ),
    each('freshet_thread_crashes_total', 'counter', 'How often it was replaced.', ({ crashes }) => crashes),
  ]
}

function budgetMetrics(market: Market | undefined, pollsPerDay: number | undefined, now: Instant): Metric[] {
  return [
    ...(pollsPerDay === undefined ? [] : [gauge('freshet_budget_polls_per_day', 'The budget.', pollsPerDay)]),
    ...(market ? [gauge('freshet_poll_price_seconds', 'The price of a poll.', market.price / SECOND)] : []),
    ...(market
      ? [
          gauge('freshet_budget_spent_today', 'Polls since midnight, UTC.', pollsToday(market, now)),
          gauge(
            'freshet_budget_stretch',
            'How many times their own intervals feeds without a price wait.',
            market.stretch,
          ),
        ]
      : []),
  ]
}
