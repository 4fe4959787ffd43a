/** `freshet lab`: replays strategies on trace files (`replay`) or on the history of your feeds (`backtest`). */
import type { Command } from 'commander'
import { InputError, limitsOf, loadLanguageOf, openForReading, readExchanges } from '../../app/index.ts'
import {
  backtest,
  budgetsIn,
  type Findings,
  readTraces,
  replayArchive,
  replayTraces,
  reportPage,
  strategiesIn,
  type WorkersOptions,
} from '../../lab/index.ts'
import { DAY } from '../../model/index.ts'
import { printArchiveFindings } from '../archive-findings.ts'
import { configOf, durationFlag, type Flags, integerFlag, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'
import { printFindings } from '../lab-tables.ts'
import { createProgress } from '../progress.ts'
import { linesToFile } from '../write-lines.ts'
import { papersCommand } from './lab-papers.ts'
import { rankingCommand } from './lab-ranking.ts'
import { traceCommands } from './lab-traces.ts'

const MAX_LINES_SHOWN = 20
const MAX_WORKERS = 256

export function labCommand(lab: Command, io: Io): void {
  lab.description(
    'Test polling strategies on recorded feeds.\nReplays feed histories: when would each strategy have polled, and how early would it have seen the news?',
  )
  withExamples(
    lab,
    'freshet lab village village.ndjson.gz --feeds 20',
    'freshet lab replay --traces village.ndjson.gz --report lab.html',
    'freshet lab backtest --report lab.html',
  )

  const replaying = lab
    .command('replay')
    .summary('Compare strategies on trace files')
    .description(
      'Compare strategies on trace files.\nReports delay, polls, misses and traffic of each strategy at its own pace, and of all with the same number of polls.',
    )
    .option('--traces <file...>', 'Trace files (plain or gzip), or folders in TUDCS format with one CSV per feed.')
    .option('--warc <folder>', 'Replay a WARC archive instead and compare it with the store; differences exit with 1.')
    .option('--warmup <time>', 'Time that strategies learn before scoring.', '14d')
    .option('--score <time>', 'Time that is scored.', '21d')
    .option('--seed <n>', 'Random seed: which weeks of a long history are replayed.', '1')
    .action(async ({ traces, warc, ...flags }: { traces?: string[]; warc?: string } & Record<string, string>) => {
      if ((traces === undefined) === (warc === undefined))
        throw new InputError('--traces or --warc is required', 'give trace files, or the folder of an archive')
      return warc === undefined ? replay(io, traces!, flags) : replayWarc(io, warc, flags)
    })
  withStudyOptions(replaying)
  withSettings(replaying, ['store', 'minInterval', 'maxInterval', 'dedupeBy'])
  withExamples(
    replaying,
    'freshet lab replay --traces traces.ndjson.gz',
    'freshet lab replay --traces a.ndjson b.ndjson.gz --strategy moving-average,fixed:30m --budget 5000/d',
    'freshet lab replay --traces traces.ndjson.gz --report lab.html --json lab.json',
    'freshet lab replay --warc warc --json -',
  )

  const backtesting = lab
    .command('backtest')
    .summary('Compare strategies on the history of your own feeds')
    .description(
      'Compare strategies on the history of your own feeds.\nReports requests per day and delay for other strategies and budgets, beside what happened. Works while a crawl is running.',
    )
    .option('--last <time>', 'Length of the history.', '90d')
    .option('--warmup <time>', 'Time that strategies learn before scoring. (default: a third, at most 14d)')
    .action(async (flags: Flags) => backtestStore(io, flags))
  withStudyOptions(backtesting)
  withSettings(backtesting, ['store', 'minInterval', 'maxInterval'])
  withExamples(
    backtesting,
    'freshet lab backtest',
    'freshet lab backtest --strategy moving-average,adva-rss --budget 500/d --report lab.html',
  )

  papersCommand(lab, io)
  rankingCommand(lab, io)
  traceCommands(lab, io)
}

function withStudyOptions(command: Command): void {
  command
    .option(
      '--strategy <names>',
      'Strategies with their settings, comma-separated, or all. (default: all)',
      appendToList,
    )
    .option(
      '--budget <polls>',
      'Poll budgets, comma-separated: 5000/d, 200/h, or match:STRATEGY for the same number.',
      appendToList,
    )
    .option('--workers <n>', 'Number of threads. Does not change the result. (default: CPU cores)')
    .option('--json <file>', 'Write all results as JSON; - for standard output.')
    .option('--report <file>', 'Write an HTML page with plots. Implies --thorough.')
    .option('--thorough', "Also run the papers' experiments and more budgets.")
}

/** Appends the values of repeated flags to one list. */
function appendToList(value: string, previous?: string): string {
  return previous === undefined ? value : `${previous},${value}`
}

async function replay(io: Io, files: string[], flags: Flags): Promise<void> {
  const options = {
    ...studyOptions(io, flags),
    budgets: budgetsIn(typeof flags.budget === 'string' ? flags.budget : undefined),
    warmupMs: durationFlag(flags, 'warmup', 0),
    scoreMs: durationFlag(flags, 'score', DAY),
    seed: integerFlag(flags, 'seed', 1),
  }
  const progress = createProgress(io, 'reading traces')
  const read = await readTraces(files, io.now(), (feeds) => progress.update(feeds, feeds)).finally(progress.end)
  for (const line of read.messages.slice(0, MAX_LINES_SHOWN)) io.note(plainLine(line))
  if (read.messages.length > MAX_LINES_SHOWN)
    io.note(`and ${count(read.messages.length - MAX_LINES_SHOWN, 'more such line')}`)
  await runStudy(io, flags, (workers) => replayTraces(read, options, workers))
}

/** Differences exit with 1, so that the command can be used as a test. */
async function replayWarc(io: Io, folder: string, flags: Flags): Promise<void> {
  const config = settingsOf(io, flags)
  const store = await openForReading(config)
  const progress = createProgress(io, 'replaying')
  const findings = await replayArchive({
    exchanges: readExchanges(folder),
    catalogue: store.catalogue,
    articleCatalogue: store.articleCatalogue,
    pollMarket: store.pollMarket,
    limits: limitsOf(config),
    knownBy: config.dedupeBy,
    loadLanguageOf,
    onProgress: (exchanges) => progress.update(exchanges, exchanges),
    signal: io.interrupted,
  })
    .finally(progress.end)
    .finally(store.close)
  if (flags.json === '-') printJson(io, findings)
  else printArchiveFindings(io, findings)
  if (typeof flags.json === 'string' && flags.json !== '-') {
    await linesToFile(flags.json, [JSON.stringify(findings)])
    io.note(`${flags.json}: everything that was found`)
  }
  if (Object.values(findings.differing).some((count) => count > 0)) throw new Exit(EXIT.failed)
}

async function backtestStore(io: Io, flags: Flags): Promise<void> {
  const options = {
    ...studyOptions(io, flags),
    budgets: typeof flags.budget === 'string' ? budgetsIn(flags.budget) : undefined,
    lastMs: durationFlag(flags, 'last', DAY),
    ...(flags.warmup !== undefined && { warmupMs: durationFlag(flags, 'warmup', 0) }),
    seed: 1,
    now: io.now(),
  }
  const store = await openForReading(settingsOf(io, flags))
  await runStudy(io, flags, (workers) => backtest(store.catalogue, options, workers)).finally(store.close)
}

function studyOptions(io: Io, flags: Flags) {
  const { minInterval: minMs, maxInterval: maxMs } = settingsOf(io, flags)
  return {
    strategies: strategiesIn(String(flags.strategy ?? 'all')),
    limits: { minMs, maxMs },
    thorough: flags.thorough === true || typeof flags.report === 'string',
  }
}

/** In the lab, --strategy and --budget are lists, not settings. */
function settingsOf(io: Io, { strategy: _names, budget: _wishes, ...flags }: Flags): ReturnType<typeof configOf> {
  return configOf(io, flags)
}

async function runStudy(io: Io, flags: Flags, find: (workers: WorkersOptions) => Promise<Findings>): Promise<void> {
  const threads = integerFlag(flags, 'workers', 0)
  if (threads > MAX_WORKERS) throw new InputError(`--workers cannot be ${threads}`, `expected at most ${MAX_WORKERS}`)
  const progress = createProgress(io, 'replaying')
  const findings = await find({
    ...(threads > 0 && { workerCount: threads }),
    onProgress: progress.update,
    signal: io.interrupted,
  })
    .catch((error: unknown) => {
      if (!io.interrupted.aborted) throw error
      io.note('freshet: stopped; nothing was written')
      throw new Exit(EXIT.failed)
    })
    .finally(progress.end)
  if (flags.json === '-') printJson(io, findings)
  else printFindings(io, findings)
  if (typeof flags.json === 'string' && flags.json !== '-') {
    await linesToFile(flags.json, [JSON.stringify(findings)])
    io.note(`${flags.json}: everything that was found`)
  }
  if (typeof flags.report === 'string') {
    await linesToFile(flags.report, [reportPage(findings)])
    io.note(`${flags.report}: open it in a browser`)
  }
}
