/** `freshet import` and `export`: lists of feeds in and out, and everything as lines of JSON. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Command } from 'commander'
import { InputError, openDesk, openReading, opmlOf, type Reading, readAddresses } from '../../app/index.ts'
import type { FeedId, Level } from '../../model/index.ts'
import { feedShape, pollShape, wholeEntryShape } from '../../server/index.ts'
import { configOf, EXIT, Exit, type Flags, withExamples, withSettings } from '../command.ts'
import { feedMeant } from '../feed-word.ts'
import { count, type Io } from '../io.ts'
import { createProgress } from '../progress.ts'
import { sinceOf, uniqueOf } from './entries.ts'

const WHAT = ['opml', 'feeds', 'entries', 'polls'] as const

export function importExportCommands(program: Command, io: Io): void {
  const importing = program
    .command('import')
    .summary('read feeds from OPML, NDJSON or a list')
    .description(
      'Adds all feeds of a file without looking at them yet: OPML, the NDJSON of "freshet export feeds", or one address a line.',
    )
    .argument('<file...>', 'a file, or - for standard input')
    .option('--json', 'as one JSON object')
    .action(async (files: string[], flags: Flags) => importFeeds(io, files, flags))
  withSettings(importing, ['store', 'strategy'])
  withExamples(importing, 'freshet import feeds.opml', 'freshet export feeds | freshet import - --store copy.db')

  const exporting = program
    .command('export')
    .summary('write feeds as OPML, or feeds, entries or polls as NDJSON')
    .description('Writes feeds as OPML, or feeds, entries or polls as one JSON object a line.')
    .argument('<what>', WHAT.join(', '))
    .option('-o, --output <file>', 'write to a file instead of standard output')
    .option('--feed <feed>', 'entries and polls: only of this feed')
    .option('--since <time>', 'entries and polls: only those not older than this, such as 24h or 2026-01-31')
    .option('--unique [level]', 'entries: of copies only one; with "story", of every story only one')
    .action(async (what: string, flags: Flags) => exportAll(io, what, flags))
  withSettings(exporting, ['store'])
  withExamples(
    exporting,
    'freshet export opml -o feeds.opml',
    'freshet export entries --since 7d --unique > week.ndjson',
    'freshet export polls --feed 3',
  )
}

async function importFeeds(io: Io, files: string[], flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const addresses = await readAddresses(files, io.stdin)
  const desk = await openDesk(config)
  try {
    const results = await desk.subscribe(addresses)
    const refused = results.filter(({ kind }) => kind === 'refused').length
    const added = results.filter((one) => one.kind !== 'refused' && one.added).length
    const known = results.length - added - refused
    if (flags.json) io.out(JSON.stringify({ added, known, refused }))
    else io.out(`${count(added, 'address', 'addresses')} added, ${known} known already, ${refused} refused`)
    if (added > 0) io.note('next: freshet run')
    if (refused > 0) throw new Exit(EXIT.failed)
  } finally {
    await desk.close()
  }
}

async function exportAll(io: Io, word: string, flags: Flags): Promise<void> {
  const what = WHAT.find((one) => one === word)
  if (!what) throw new InputError(`there is no "${word}" to export`, `expected one of: ${WHAT.join(', ')}`)
  const since = typeof flags.since === 'string' ? sinceOf(flags.since, io.now()) : undefined
  const reading = await openReading(configOf(io, flags))
  const progress = createProgress(io, `exporting ${what}`)
  try {
    const feedId = typeof flags.feed === 'string' ? (await feedMeant(flags.feed, reading)).feed.id : undefined
    const unique = uniqueOf(flags)
    const filter = { ...(feedId && { feedId }), ...(since !== undefined && { since }), ...(unique && { unique }) }
    const counts = await reading.store.counts()
    const total = { opml: 1, feeds: counts.feeds.active, entries: counts.entries, polls: counts.polls }[what]
    const lines = counted(linesOf(what, reading, filter), (done) => progress.update(done, Math.max(done, total)))
    const written = typeof flags.output === 'string' ? await writeFile(flags.output, lines) : await writeOut(io, lines)
    progress.end()
    if (typeof flags.output === 'string') io.note(`${flags.output}: ${count(written, 'line')} written`)
  } finally {
    progress.end()
    await reading.close()
  }
}

async function* linesOf(
  what: (typeof WHAT)[number],
  reading: Reading,
  filter: { feedId?: FeedId; since?: number; unique?: Level },
): AsyncIterable<string> {
  const { store } = reading
  if (what === 'opml') yield (await opmlOf(reading)).trimEnd()
  if (what === 'feeds') for await (const feed of store.everyFeed()) yield JSON.stringify(feedShape(feed))
  if (what === 'entries')
    for await (const entry of store.everyEntry(filter)) {
      const [copies] = await store.groupsOfEntries([entry.id], 'copy')
      yield JSON.stringify(wholeEntryShape(entry, { copies }))
    }
  if (what === 'polls') for await (const poll of store.everyPoll(filter)) yield JSON.stringify(pollShape(poll))
}

async function* counted(lines: AsyncIterable<string>, tell: (done: number) => void): AsyncIterable<string> {
  let done = 0
  for await (const line of lines) {
    yield line
    if (++done % 1000 === 0) tell(done)
  }
}

async function writeOut(io: Io, lines: AsyncIterable<string>): Promise<number> {
  let written = 0
  for await (const line of lines) {
    await io.outWhenReady(line)
    written++
  }
  return written
}

/** Under another name until it is whole, so that a file which was there is replaced or left, never cut. */
async function writeFile(file: string, lines: AsyncIterable<string>): Promise<number> {
  const part = `${file}.part`
  const stream = createWriteStream(part)
  let written = 0
  try {
    for await (const line of lines) {
      if (!stream.write(`${line}\n`))
        await new Promise((resolve, reject) => stream.once('drain', () => resolve(undefined)).once('error', reject))
      written++
    }
    await new Promise<void>((resolve, reject) => stream.once('error', reject).end(resolve))
    await rename(part, file)
    return written
  } catch (cause) {
    stream.destroy()
    await rm(part, { force: true })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new InputError(`${file} could not be written: ${reason}`, 'is the folder there, writable, and not full?')
  }
}
