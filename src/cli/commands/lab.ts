/** `freshet lab`: what strategies would have done, on recorded histories or on your own. */
import type { Command } from 'commander'
import { InputError } from '../../app/index.ts'
import { budgetsIn, readTraces, replayTraces, strategiesIn } from '../../lab/index.ts'
import { DAY, type Millis, parseDuration } from '../../model/index.ts'
import { configOf, EXIT, Exit, type Flags, wholeFlag, withExamples, withSettings } from '../command.ts'
import { count, type Io, plainLine } from '../io.ts'
import { printFindings } from '../lab-tables.ts'
import { createProgress } from '../progress.ts'
import { writeLines } from '../write-lines.ts'

const WARMUP = '14d'
const SCORE = '21d'
const WORDS_SHOWN = 20

export function labCommand(program: Command, io: Io): void {
  const lab = program
    .command('lab')
    .summary('try polling strategies on recorded histories')
    .description('Replays histories of feeds to see when each strategy would have polled, and how early it had the news.')
  withExamples(
    lab,
    'freshet lab village village.ndjson.gz',
    'freshet lab replay --traces village.ndjson.gz --report lab.html',
    'freshet lab backtest',
  )
  replayCommand(lab, io)
}

function replayCommand(lab: Command, io: Io): void {
  const command = lab
    .command('replay')
    .summary('compare strategies on trace files')
    .description(
      'Replays recorded histories with the code of the crawler: delay, polls, misses and traffic of each strategy at its own\npace, and of all of them with the same number of polls.',
    )
    .requiredOption('--traces <file...>', 'trace files, plain or gzip')
    .option('--strategy <names>', 'strategies with their settings, parted by commas, or all', 'all')
    .option(
      '--budget <polls>',
      'equal numbers of polls: 5000/d, 200/h, or match:moving-average for as many as that makes; several parted by commas',
    )
    .option('--warmup <time>', 'for how long strategies learn before anything counts', WARMUP)
    .option('--score <time>', 'for how long it counts after that', SCORE)
    .option('--seed <n>', 'which weeks of a long history are replayed', '1')
    .option('--workers <n>', 'threads; the result does not depend on it (default: as many as there are cores)')
    .option('--json <file>', 'everything that was found, as JSON; - for standard output')
    .option('--report <file>', 'a page with plots, as one HTML file')
    .action(async (flags: LabFlags) => replay(io, flags))
  withSettings(command, ['minInterval', 'maxInterval'])
  withExamples(
    command,
    'freshet lab replay --traces traces.ndjson.gz',
    'freshet lab replay --traces a.ndjson b.ndjson.gz --strategy moving-average,fixed:30m --budget 5000/d',
    'freshet lab replay --traces traces.ndjson.gz --report lab.html --json lab.json',
  )
}

type LabFlags = Omit<Flags, 'traces'> & { traces: string[] }

async function replay(io: Io, { traces: files, ...flags }: LabFlags): Promise<void> {
  const config = configOf(io, { ...flags, strategy: undefined, budget: undefined })
  const options = {
    strategies: strategiesIn(String(flags.strategy)),
    budgets: budgetsIn(typeof flags.budget === 'string' ? flags.budget : undefined),
    warmupMs: durationFlag(flags, 'warmup', 0),
    scoreMs: durationFlag(flags, 'score', DAY),
    seed: wholeFlag(flags, 'seed', 1),
    limits: { minMs: config.minInterval, maxMs: config.maxInterval },
    thorough: typeof flags.report === 'string',
  }
  const hands = flags.workers === undefined ? {} : { hands: handsIn(flags) }
  const reading = createProgress(io, 'reading traces')
  const read = await readTraces(files, io.now(), (feeds) => reading.update(feeds, feeds)).finally(reading.end)
  tellWords(io, read.words)
  const progress = createProgress(io, 'replaying')
  const findings = await replayTraces(read, options, { ...hands, tell: progress.update, signal: io.interrupted })
    .catch((error: unknown) => {
      if (!io.interrupted.aborted) throw error
      io.note('freshet: stopped; nothing was written')
      throw new Exit(EXIT.failed)
    })
    .finally(progress.end)
  if (flags.json === '-') io.out(JSON.stringify(findings))
  else printFindings(io, findings)
  if (typeof flags.json === 'string' && flags.json !== '-') {
    await writeLines(flags.json, [JSON.stringify(findings)])
    io.note(`${flags.json}: everything that was found, as JSON`)
  }
}

function tellWords(io: Io, words: string[]): void {
  for (const line of words.slice(0, WORDS_SHOWN)) io.note(plainLine(line))
  if (words.length > WORDS_SHOWN) io.note(`and ${count(words.length - WORDS_SHOWN, 'more such line')}`)
}

function handsIn(flags: Flags): number {
  const hands = wholeFlag(flags, 'workers', 1)
  if (hands < 1 || hands > 256) throw new InputError(`--workers cannot be ${hands}`, 'expected a number from 1 to 256')
  return hands
}

function durationFlag(flags: Flags, name: string, least: Millis): Millis {
  const ms = parseDuration(String(flags[name]))
  if (ms !== undefined && ms >= least && ms <= 3660 * DAY) return ms
  throw new InputError(`--${name} cannot be "${flags[name]}"`, 'expected a length of time such as 14d, at most 3660d')
}
