/** `freshet lab record` and `village`: create trace files of your own feeds or of invented ones. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { InputError, openForReading } from '../../app/index.ts'
import { generateTraces, historiesIn, traceLine, tudcsFiles } from '../../lab/index.ts'
import { DAY, type Instant } from '../../model/index.ts'
import { configOf, durationFlag, type Flags, integerFlag, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'
import { linesToFile } from '../write-lines.ts'

const MAX_FEEDS = 100_000
const MAX_DAYS = 3660

export function traceCommands(lab: Command, io: Io): void {
  const recording = lab
    .command('record')
    .summary('Create a trace file of your own feeds')
    .description(
      'Create a trace file of your own feeds.\nOne JSON line per feed with the times of its entries, its window and size; no texts. Works while a crawl is running.',
    )
    .argument('<file>', 'Output file, compressed if it ends in .gz; - for standard output.')
    .option('--last <time>', 'Only feeds polled within this time.', '3650d')
    .option('--tudcs', 'Write a folder with one CSV per feed instead, with titles and links.')
    .action(async (file: string, flags: Flags) => record(io, file, flags))
  withSettings(recording, ['store'])
  withExamples(
    recording,
    'freshet lab record traces.ndjson.gz',
    'freshet lab record - --last 90d | wc -l',
    'freshet lab record --tudcs recorded',
  )

  const inventing = lab
    .command('village')
    .summary('Create a trace file of invented feeds')
    .description('Create a trace file of invented feeds.\nNewspapers, blogs, podcasts and forums, to try the lab on.')
    .argument('<file>', 'Output file, compressed if it ends in .gz; - for standard output.')
    .option('--feeds <n>', 'Number of feeds.', '100')
    .option('--days <n>', 'Length of the histories in days.', '120')
    .option('--seed <n>', 'Random seed: another number, other feeds.', '1')
    .action(async (file: string, flags: Flags) => village(io, file, flags))
  withExamples(inventing, 'freshet lab village village.ndjson.gz', 'freshet lab village - --feeds 3 --days 40')
}

async function record(io: Io, file: string, flags: Flags): Promise<void> {
  const since = io.now() - durationFlag(flags, 'last', DAY)
  const { tudcs, ...settings } = flags
  const store = await openForReading(configOf(io, settings))
  if (tudcs) return recordFolder(io, file, store, since).finally(store.close)
  async function* lines() {
    for await (const { trace } of historiesIn(store.catalogue, since)) yield traceLine(trace)
  }
  await write(io, file, lines()).finally(store.close)
}

async function recordFolder(
  io: Io,
  folder: string,
  { catalogue }: Awaited<ReturnType<typeof openForReading>>,
  since: Instant,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  let feeds = 0
  for await (const { name, lines } of tudcsFiles(catalogue, since)) {
    await linesToFile(join(folder, name), lines)
    feeds++
  }
  io.note(`${folder}: ${count(feeds, 'feed')} written`)
}

async function village(io: Io, file: string, flags: Flags): Promise<void> {
  const options = { feeds: integerInRange(flags, 'feeds', MAX_FEEDS), days: integerInRange(flags, 'days', MAX_DAYS) }
  const traces = generateTraces({ ...options, seed: integerFlag(flags, 'seed', 1), now: io.now() })
  await write(io, file, Array.from(traces, traceLine))
}

function integerInRange(flags: Flags, name: string, max: number): number {
  const n = integerFlag(flags, name, 0)
  if (n >= 1 && n <= max) return n
  throw new InputError(`--${name} cannot be ${n}`, `expected a whole number from 1 to ${max}`)
}

async function write(io: Io, file: string, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
  if (file === '-') for await (const line of lines) await io.outWhenReady(line)
  else io.note(`${file}: ${count(await linesToFile(file, lines), 'feed')} written`)
}
