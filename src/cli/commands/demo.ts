/**
 * `freshet demo`: runs a whole crawl on an invented web inside the program, without network access or files that stay. The crawl gets only
 * the home pages of the sites; users watch it discover the feeds, poll them, and learn how often each publishes.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Config, type Crawl, createLog, InputError, logEvent, openCrawl, startServer } from '../../app/index.ts'
import { type DemoWorld, openDemoWorld } from '../../lab/index.ts'
import { formatDuration, type Instant, SECOND } from '../../model/index.ts'
import { ServerError } from '../../server/server-error.ts'
import {
  configOf,
  type Flags,
  integerFlag,
  SERVER_OPTIONS,
  stopSignal,
  withExamples,
  withSettings,
} from '../command.ts'
import { count, type Io, printTable } from '../io.ts'

const SPEED = 60 // an hour of the village takes a minute

export function demoCommand(command: Command, io: Io): void {
  command
    .description(
      'Crawl a small invented web, offline.\nRuns 60 times as fast as real time, needs no network and leaves no files. Press Ctrl-C to end it and see how early the news arrived.',
    )
    .option('--for <time>', 'Exit after this time, such as 30s.')
    .option('--speed <n>', `Speed of the invented web. (default: ${SPEED})`)
    .option('--seed <n>', 'Random seed: another number, another web. (default: 1)')
    .action(async (flags: Flags) => demo(io, flags))
  withSettings(command, [...SERVER_OPTIONS, 'strategy', 'log'])
  withExamples(command, 'freshet demo', 'freshet demo --for 20s --seed 7', 'freshet demo --strategy fixed:1h')
}

async function demo(io: Io, flags: Flags): Promise<void> {
  const speed = integerFlag(flags, 'speed', SPEED)
  if (speed < 1 || speed > 1000) throw new InputError(`--speed cannot be ${speed}`, 'expected a number from 1 to 1000')
  const until = stopSignal(flags, io.interrupted)
  const folder = await mkdtemp(join(tmpdir(), 'freshet-demo-'))
  const config: Config = {
    ...configOf(io, flags),
    store: join(folder, 'demo.db'),
    allowNetworks: ['127.0.0.0/8', '::1/128'],
    minInterval: 10 * SECOND,
    hostGap: SECOND,
    timeout: 2 * SECOND,
  }
  const world = await openDemoWorld({ startAt: io.now(), speed, seed: integerFlag(flags, 'seed', 1) })
  try {
    const crawl = await openCrawl(config, { clock: world.clock })
    try {
      await watch(io, config, crawl, world, speed, until)
    } finally {
      await crawl.close(2 * speed * SECOND)
    }
  } finally {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function watch(
  io: Io,
  config: Config,
  crawl: Crawl,
  { village, clock }: DemoWorld,
  speed: number,
  until: AbortSignal,
): Promise<void> {
  const { crawler } = crawl
  const startedAt = clock.now()
  const log = createLog({ level: config.log, format: config.logFormat, now: clock.now, write: io.out })
  const server = await startServer(config, crawl, log).catch((error: unknown) => {
    if (error instanceof ServerError) return startServer({ ...config, port: 0 }, crawl, log) // the port is in use: pick a free one
    throw error
  })
  io.out(
    `An invented web of ${count(village.sites.length, 'site')}; one hour there takes ${formatDuration((3600 / speed) * SECOND)}.`,
  )
  io.out('The crawler gets their home pages. It finds each feed, polls it, and learns when to poll it again.')
  io.out(`Open ${server.url.replace('127.0.0.1', 'localhost')} to watch it. Press Ctrl-C to end it.\n`)
  crawler.onEvent((event) => logEvent(log, event))
  await crawler.subscribe(village.sites.map(({ home }) => ({ url: home, kind: 'any' })))
  await crawler.run(until)
  await server.close()
  await crawler.stop(speed * SECOND)
  await printSummary(io, crawl, startedAt)
}

interface Row {
  title: string
  found: number
  polls: number
  delayMs: number
  waitMs: number
}

/** Prints what the crawl learned about each feed, and how early its entries arrived. */
async function printSummary(io: Io, { catalogue, groupCatalogue }: Crawl, startedAt: Instant): Promise<void> {
  const rows: Row[] = []
  for (const { feed, schedule } of await catalogue.feeds({ order: 'id', limit: 1000 })) {
    const polls = await catalogue.polls({ feedId: feed.id, limit: 100_000 })
    const news = (await catalogue.entries({ feedId: feed.id, since: startedAt, limit: 100_000 })).filter(
      (entry) => entry.publishedAt,
    )
    const delays = news.map(({ seenAt, publishedAt = seenAt }) => seenAt - publishedAt)
    rows.push({
      title: feed.title || feed.url,
      found: news.length,
      polls: polls.length,
      delayMs: delays.reduce((sum, delay) => sum + delay, 0) / delays.length,
      waitMs: schedule.dueAt - (schedule.polledAt ?? schedule.dueAt),
    })
  }
  io.out('\nWhat it learned (in the time of the invented web):')
  printTable(io, rows, [
    { title: 'feed', of: (row) => row.title, shrinks: true },
    { title: 'new entries', of: (row) => String(row.found), right: true },
    { title: 'polls', of: (row) => String(row.polls), right: true },
    { title: 'poll interval', of: (row) => formatDuration(row.waitMs), right: true },
    {
      title: 'mean delay',
      of: (row) => (Number.isNaN(row.delayMs) ? '-' : formatDuration(row.delayMs)),
      right: true,
    },
  ])
  const publishing = rows.filter((row) => row.found > 0)
  const news = publishing.reduce((sum, row) => sum + row.found, 0)
  const polls = rows.reduce((sum, row) => sum + row.polls, 0)
  if (news === 0) return io.out('\nNo site has published anything yet. Let the demo run longer.')
  const delayMs = publishing.reduce((sum, row) => sum + row.delayMs * row.found, 0) / news
  io.out(
    `\n${count(news, 'new entry', 'new entries')} with ${count(polls, 'poll')}: ${(polls / news).toFixed(1)} polls per entry, ${formatDuration(delayMs)} after publication on average.`,
  )
  const { copies } = await groupCatalogue.statistics(startedAt)
  if (copies > 0)
    io.out(`${count(copies, 'entry is a copy', 'entries are copies')} of an earlier entry of another feed.`)
}
