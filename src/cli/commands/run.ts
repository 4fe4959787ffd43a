/** `freshet run`: runs the crawler, the API and the page in one process. */
import type { Command } from 'commander'
import {
  applyListedSources,
  applyRulesOfFile,
  type Config,
  type Configured,
  type Crawl,
  createLog,
  createOutageLog,
  formatStore,
  type ListedSource,
  type Log,
  openCrawl,
  readAddresses,
  startServer,
} from '../../app/index.ts'
import { formatSize, type Instant, MINUTE, type ScheduledFeed, SECOND } from '../../model/index.ts'
import { configured, type Flags, RUN_OPTIONS, stopSignal, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io } from '../io.ts'

/** Time for tasks in flight when the user interrupts `--once`. */
const GRACE_MS = 2 * SECOND
const MAX_COUNTED = 1000
const SOON_MS = 10 * MINUTE

export function runCommand(command: Command, io: Io): void {
  command
    .description(
      'Run the crawler, the page and the API.\nAdds the given addresses and the sources in freshet.toml first. Runs until you stop it.',
    )
    .argument('[address...]', 'Sites, feeds or OPML files to add first, or - for standard input.')
    .option('--once', 'Do what is due now, then exit. Serves no page.')
    .option('--for <time>', 'Exit after this time, such as 10m.')
    .option('--json', 'Log one JSON object per line.')
    .action(async (words: string[], flags: Flags) => run(io, words, flags))
  withSettings(command, RUN_OPTIONS)
  withExamples(
    command,
    'freshet run',
    'freshet run feeds.opml',
    'freshet run --once',
    'freshet run --for 10m --log debug --port 8080',
  )
}

async function run(io: Io, words: string[], flags: Flags): Promise<void> {
  const { config, sources, rules, origins } = configured(io, flags)
  const until = stopSignal(flags, io.interrupted)
  const addresses = await readAddresses(words, io.stdin)
  const log = createLog({
    level: config.log,
    format: flags.json ? 'json' : config.logFormat,
    now: io.now,
    write: io.out,
  })
  const session = { config, origins, sources, rules, log, until, isOnce: flags.once === true, now: io.now }
  let end = await crawlUntil(addresses, session)
  while (end === 'clock-set-back') {
    log.warn('the clock was set back by more than a day: restarting the crawl')
    end = await crawlUntil([], session)
  }
  if (flags.once && io.interrupted.aborted) throw new Exit(EXIT.interrupted)
}

interface Session {
  config: Config
  origins: Configured['origins']
  sources: ListedSource[]
  rules: Configured['rules']
  log: Log
  until: AbortSignal
  isOnce: boolean
  now: () => Instant
}

/** Runs the crawl once, from opening the store to closing it. */
async function crawlUntil(
  addresses: Awaited<ReturnType<typeof readAddresses>>,
  { config, origins, sources, rules, log, until, isOnce, now }: Session,
) {
  const crawl = await openCrawl(config)
  const events = createOutageLog({ log, clock: crawl.clock })
  events.watch({ store: crawl.catalogue.newestEntryId })
  crawl.crawler.onEvent(events.note)
  const startedAt = crawl.clock.now()
  // Errors are ignored: the crawl itself reports an unavailable store.
  const noteRun = () => crawl.store.recordRun({ beganAt: startedAt, lastAt: crawl.clock.now() }).catch(() => {})
  let end: 'stopped' | 'clock-set-back' = 'stopped'
  let remaining: string | undefined
  let server: Awaited<ReturnType<typeof startServer>> | undefined
  try {
    await noteRun()
    for (const missing of await applyRulesOfFile(config, crawl, rules)) log.warn(missing)
    if (!isOnce) server = await startServer(config, crawl, log, origins)
    const listed = sources.length > 0 ? await applyListedSources(crawl, sources) : 0
    if (listed > 0) log.info(`${count(listed, 'source')} of freshet.toml added`)
    if (addresses.length > 0) {
      const results = await crawl.crawler.subscribe(addresses)
      log.info(
        `${count(results.filter((one) => one.kind !== 'refused' && one.added).length, 'address', 'addresses')} added`,
      )
      for (const one of results) if (one.kind === 'refused') log.warn(`${one.url} was not added: ${one.reason}`)
    }
    await logStart(crawl, formatStore(config.store), server?.url, log.info)
    if (server?.setUpUrl)
      log.warn(
        `other machines can reach ${config.host}, and there is no account yet. Create the first one within an hour at ${server.setUpUrl} (or at the name of this machine), or with freshet user add NAME`,
      )
    if (isOnce) await crawl.crawler.runOnce(until)
    else end = await crawl.crawler.run(until)
    if (isOnce && !until.aborted) log.info('done')
    else log.info('stopping: finishing or releasing work in flight')
    if (isOnce && until.aborted) {
      await crawl.crawler.stop(GRACE_MS)
      remaining = await describeRemainingWork(crawl, now())
    }
  } finally {
    events.close()
    await server?.close()
    await noteRun()
    await crawl.close()
  }
  const { polls, fresh, failures, articles, bytes } = crawl.crawler.activity().totals
  const pages = articles > 0 ? `, ${count(articles, 'page')} read` : ''
  log.info(
    `${count(polls, 'poll')}, ${count(fresh, 'new entry', 'new entries')}, ${count(failures, 'failure')}${pages}, ${formatSize(bytes)}`,
  )
  if (remaining) log.warn(`not finished; remaining: ${remaining}. Run freshet run --once again to continue`)
  return end
}

/** Describes due work that was not done. Undefined if there is none. Unanswered polls are due again soon. */
async function describeRemainingWork({ catalogue, crawler }: Crawl, now: Instant): Promise<string | undefined> {
  const { startedAt } = crawler.activity()
  const { looking, articles } = await catalogue.counts()
  const next = await catalogue.feeds({ order: 'due', limit: MAX_COUNTED })
  const isLeft = ({ schedule: { dueAt, polledAt = 0 } }: ScheduledFeed) =>
    dueAt <= now || (polledAt < startedAt && dueAt <= now + SOON_MS)
  const due = next.filter(isLeft).length
  const parts = [
    ...(due > 0 ? [`${due === MAX_COUNTED ? 'at least ' : ''}${count(due, 'feed')} to poll`] : []),
    ...(looking > 0 ? [`${count(looking, 'site')} without a feed yet`] : []),
    ...(articles.waiting > 0 ? [`${count(articles.waiting, 'page')} to read`] : []),
  ]
  return parts.join(', ') || undefined
}

async function logStart(
  { catalogue }: Crawl,
  file: string,
  url: string | undefined,
  log: (line: string) => void,
): Promise<void> {
  const { feeds, entries, looking } = await catalogue.counts()
  const feedCount = feeds.active + feeds.paused + feeds.gone
  log(
    `${file}: ${count(feedCount, 'feed')}, ${count(entries, 'entry', 'entries')}${looking > 0 ? `, ${count(looking, 'site')} without a feed yet` : ''}`,
  )
  if (url) log(`the page and the API are at ${url.replace('127.0.0.1', 'localhost')}`)
  if (feedCount + looking === 0)
    log(
      url
        ? 'no feed yet: add one on the page, or in another terminal (in a checkout: npx freshet): freshet add https://example.org, or an OPML file'
        : 'no feed yet: freshet add https://example.org (or an OPML file)',
    )
}
