/** `/metrics` for Prometheus. Its cost does not depend on the size of the store. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Hono } from 'hono'
import type { Activity } from '../../crawl/index.ts'
import { type Instant, type Market, SECOND, type ThreadStatus } from '../../model/index.ts'
import type { Counts } from '../../ports/index.ts'
import { pollsToday } from '../../scheduling/index.ts'
import { budgetInForce, type FleetMembers, fleetMembers } from '../../views/index.ts'
import { createArrivalDelays } from '../metrics/arrival-delays.ts'
import { byLabel, counter, gauge, METRICS_TYPE, type Metric, metricsText } from '../metrics/text-format.ts'
import type { ServerParts } from '../server-parts.ts'

const NANOSECONDS = 1e9

export function metricsRoutes(parts: ServerParts): Hono {
  const { catalogue, pollMarket, crawler, clock, closing, pollsPerDay, fleetMembers: listMembers, threads } = parts
  const app = new Hono()
  const arrivals = createArrivalDelays(catalogue)
  const grouped = { copy: 0, story: 0 }
  let loopDelay: ReturnType<typeof monitorEventLoopDelay> | undefined

  const stopCounting = crawler.onEvent((event) => {
    if (event.kind === 'joined') grouped[event.level]++
  })
  closing?.addEventListener('abort', () => {
    stopCounting()
    loopDelay?.disable()
  })

  /** Since the previous scrape; measured after the first one. */
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
    const [counts, market, resting, [next], arrivalDelays, budget] = await Promise.all([
      catalogue.counts(),
      pollMarket.market(),
      catalogue.restingHosts(now, 1),
      catalogue.feeds({ order: 'due', limit: 1 }),
      arrivals.metric(),
      budgetInForce(pollMarket, pollsPerDay),
    ])
    const activity = crawler.activity()
    const lateMs = next ? Math.max(0, now - next.schedule.dueAt) : 0
    const metrics = [
      ...workMetrics(activity),
      arrivalDelays,
      ...storeMetrics(counts),
      gauge('freshet_due_late_seconds', 'Lateness of the feed that is due first.', lateMs / SECOND),
      gauge('freshet_hosts_backing_off', 'Hosts that back off after failures.', resting.all),
      byLabel({ name: 'freshet_entries_grouped_total', type: 'counter', help: GROUPED_HELP }, 'level', grouped),
      ...budgetMetrics(market, budget === 'auto' ? undefined : budget, now),
      ...(listMembers ? fleetMetrics(fleetMembers(listMembers())) : []),
      ...loopMetrics(),
      ...threadMetrics(threads?.() ?? []),
      gauge('process_resident_memory_bytes', 'Resident memory of the process.', process.memoryUsage.rss()),
      gauge('process_start_time_seconds', 'Start of the crawl, in Unix time.', activity.startedAt / SECOND),
    ]
    return c.body(metricsText(metrics), 200, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' })
  })
  return app
}

const STALLED_BUCKETS_HELP = 'Buckets that a controller owns but cannot start working on.'
const LOOP_HELP = 'Event loop delay since the last scrape.'
const GROUPED_HELP = 'Entries grouped with others, as a copy or in a story.'

function workMetrics({ totals, inFlight, refusal, queueRefusal, buckets }: Activity): Metric[] {
  const { polls, notModified, failures, fresh, changed, bytes, gaps, articles, articleFailures, internalErrors } =
    totals
  const results = { read: polls - notModified - failures, 'not-modified': notModified, failed: failures }
  const tasks = { poll: 0, 'moved-feed': 0, discover: 0, hub: 0, article: 0 }
  for (const { kind } of inFlight) tasks[kind]++
  return [
    byLabel({ name: 'freshet_polls_total', type: 'counter', help: 'Polls by result.' }, 'result', results),
    counter('freshet_entries_new_total', 'New entries.', fresh),
    counter('freshet_entries_changed_total', 'Changed entries.', changed),
    counter('freshet_gaps_total', 'Polls that may have missed entries.', gaps),
    counter('freshet_received_bytes_total', 'Bytes of response bodies received, compressed.', bytes),
    byLabel({ name: 'freshet_pages_total', type: 'counter', help: 'Article pages by result.' }, 'result', {
      read: articles,
      failed: articleFailures,
    }),
    counter('freshet_internal_errors_total', 'Internal errors. The log has them.', internalErrors),
    byLabel({ name: 'freshet_tasks_in_flight', type: 'gauge', help: 'Requests in flight.' }, 'kind', tasks),
    gauge('freshet_store_unavailable', '1 while the store rejects writes.', refusal ? 1 : 0),
    gauge('freshet_queue_unavailable', '1 while the queue rejects messages.', queueRefusal ? 1 : 0),
    ...(buckets ? [gauge('freshet_buckets_stalled', STALLED_BUCKETS_HELP, buckets.notTakenUp)] : []),
  ]
}

function storeMetrics({ feeds, failing, looking, entries, articles, waiting, bytes }: Counts): Metric[] {
  const backlog = { index: waiting.index, groups: waiting.groups, pages: articles.waiting, sources: looking }
  return [
    byLabel({ name: 'freshet_feeds', type: 'gauge', help: 'Feeds by state.' }, 'state', { ...feeds }),
    gauge('freshet_feeds_failing', 'Active feeds whose last poll failed.', failing),
    gauge('freshet_entries', 'Stored entries.', entries),
    byLabel({ name: 'freshet_backlog', type: 'gauge', help: 'Items that wait, by queue.' }, 'queue', backlog),
    gauge('freshet_store_bytes', 'Size of the store.', bytes),
  ]
}

function fleetMetrics({ fetchers, others: otherMembers }: FleetMembers): Metric[] {
  const sum = (of: 'slots' | 'activeTasks' | 'completedTasks') => fetchers.reduce((all, one) => all + (one[of] ?? 0), 0)
  const aside = fetchers.filter((one) => one.quarantine).length
  const roles = { controller: 0, indexer: 0, server: 0, fetcher: fetchers.length }
  for (const { role } of otherMembers) roles[role]++
  const states = { active: fetchers.length - aside, quarantined: aside }
  const clockOffsets = fetchers.map(({ clockAheadMs }) => Math.abs(clockAheadMs))
  const buckets = otherMembers.reduce((all, one) => all + (one.buckets ?? 0), 0)
  return [
    byLabel({ name: 'freshet_processes', type: 'gauge', help: 'Processes of the fleet by role.' }, 'role', roles),
    byLabel({ name: 'freshet_fetchers', type: 'gauge', help: 'Fetchers by state.' }, 'state', states),
    gauge('freshet_fetcher_slots', 'Slots of all fetchers together.', sum('slots')),
    gauge('freshet_fetcher_load', 'Slots in use.', sum('activeTasks')),
    gauge(
      'freshet_fetcher_clock_off_seconds',
      'Largest clock offset of a fetcher.',
      Math.max(0, ...clockOffsets) / SECOND,
    ),
    gauge('freshet_buckets_owned', 'Buckets of hosts with an owner, of 256.', buckets),
  ]
}

function threadMetrics(threads: ThreadStatus[]): Metric[] {
  const perThread = (name: string, type: Metric['type'], help: string, of: (one: ThreadStatus) => number) =>
    byLabel({ name, type, help }, 'thread', Object.fromEntries(threads.map((one) => [one.name, of(one)])))
  if (threads.length === 0) return []
  return [
    perThread(
      'freshet_thread_calls_queued',
      'gauge',
      'Calls that wait for a thread or run in it.',
      ({ queued }) => queued,
    ),
    perThread(
      'freshet_thread_busy_ratio',
      'gauge',
      'Share of the last minute or two it was busy.',
      ({ busyShare }) => busyShare,
    ),
    perThread(
      'freshet_thread_longest_call_seconds',
      'gauge',
      'Longest call of the last minute or two.',
      ({ longestCallMs }) => longestCallMs / SECOND,
    ),
    perThread('freshet_thread_crashes_total', 'counter', 'Times the thread was restarted.', ({ crashes }) => crashes),
  ]
}

function budgetMetrics(market: Market | undefined, pollsPerDay: number | undefined, now: Instant): Metric[] {
  return [
    ...(pollsPerDay === undefined ? [] : [gauge('freshet_budget_polls_per_day', 'Poll budget per day.', pollsPerDay)]),
    ...(market ? [gauge('freshet_poll_price_seconds', 'Current price of a poll.', market.price / SECOND)] : []),
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
