/** `freshet import`: imports feeds, and read and starred entries, from files and servers of other readers. */
import { type Command, Option } from 'commander'
import type { ImportedFeedShape, ReaderImportShape } from '../../api/index.ts'
import {
  downloadReaderData,
  InputError,
  openCommands,
  READER_SERVERS,
  type ReaderServer,
  type ReadFiles,
  readReaderFiles,
  readTokenFile,
} from '../../app/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'
import { createProgress, type Progress } from '../progress.ts'

const MAX_SHOWN = 20

export function importCommand(command: Command, io: Io): void {
  command
    .description(
      'Import feeds, stars and read entries from another reader.\nReads files of Miniflux, FreshRSS, Inoreader, Feedly, NewsBlur, Tiny Tiny RSS and NetNewsWire, OPML, the NDJSON of "freshet export feeds", or one address per line. Adds the feeds without fetching them yet. Repeat it at any time: an import only adds.',
    )
    .argument('<file...>', 'Files, or - for standard input. With --from, the address of the server.')
    .addOption(new Option('--from <api>', 'Import from a server with this API.').choices(READER_SERVERS))
    .option('--token-file <file>', 'File with the API token of that server, or with user:password for greader.')
    .option('--dry-run', 'Report what would happen, and change nothing.')
    .option('--json', 'Print one JSON object.')
    .action(async (names: string[], flags: Flags) => importData(io, names, flags))
  withSettings(command, [...USER_OPTIONS, 'strategy'])
  withExamples(
    command,
    'freshet import feeds.opml starred.json',
    'freshet import --from miniflux https://miniflux.example --token-file token.txt --dry-run',
    'freshet export feeds | freshet import - --store copy.db',
  )
}

async function importData(io: Io, names: string[], flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const isDryRun = flags.dryRun === true
  const progress = createProgress(io, 'importing')
  try {
    const { data, refused } = await readData(io, names, flags, progress)
    const commands = await openCommands(config)
    try {
      const report = withRefused(await commands.importReaderData(data, isDryRun, progress.update), refused)
      progress.end()
      if (flags.json) printJson(io, report)
      else printReport(io, report)
      if (report.totals.added > 0 && !isDryRun && !commands.isRunning) io.note('next: freshet run')
      if (report.totals.refused > 0) throw new Exit(EXIT.failed)
    } finally {
      await commands.close()
    }
  } finally {
    progress.end()
  }
}

async function readData(io: Io, names: string[], flags: Flags, progress: Progress): Promise<ReadFiles> {
  const { from, tokenFile } = flags
  if (from === undefined) {
    if (tokenFile !== undefined)
      throw new InputError('--token-file needs --from', 'give --from miniflux or --from greader')
    return readReaderFiles(names, io.stdin)
  }
  const [url = '', ...others] = names
  if (others.length > 0) throw new InputError('--from takes one address', 'import from one server at a time')
  if (typeof tokenFile !== 'string')
    throw new InputError('--from needs --token-file', 'create an API token on that server, and save it in a file')
  const token = await readTokenFile(tokenFile)
  const download = { signal: io.interrupted, progress: progress.update }
  return { data: await downloadReaderData(from as ReaderServer, url, token, download), refused: [] }
}

function withRefused(report: ReaderImportShape, refused: ReadFiles['refused']): ReaderImportShape {
  const feeds = refused.map(
    (one): ImportedFeedShape => ({ ...one, result: 'refused', ...NO_ENTRIES, createdEntries: [], missingStars: [] }),
  )
  const { totals } = report
  return {
    ...report,
    feeds: [...report.feeds, ...feeds],
    totals: { ...totals, refused: totals.refused + refused.length },
  }
}

const NO_ENTRIES = { matched: 0, read: 0, starred: 0, labeled: 0, created: 0, waiting: 0, missing: 0 }

function printReport(io: Io, { isDryRun, feeds, totals, unassigned }: ReaderImportShape): void {
  const line = (text: string) => io.out(plainLine(text))
  const list = (heading: string, entries: readonly { title: string; url?: string | undefined }[], total: number) => {
    if (total === 0) return
    line(heading)
    for (const { title, url = '' } of entries.slice(0, MAX_SHOWN)) io.out(`  ${plainLine(title || url)}`)
    const shown = Math.min(entries.length, MAX_SHOWN)
    if (total > shown) io.out(`  and ${total - shown} more`)
  }
  const refused = feeds.filter(({ result }) => result === 'refused')
  for (const { url, reason } of refused.slice(0, MAX_SHOWN)) io.note(plainLine(`refused: ${url}: ${reason}`))
  for (const feed of feeds) {
    const words = describeEntries(feed)
    if (words === '') continue
    const name = feed.title ?? feed.url
    line(`${name}: ${words}`)
    list(`starred and labeled entries added to ${name}:`, feed.createdEntries, feed.createdEntries.length)
    const why = feed.sharedWithOthers ? ' because other users read this feed' : ''
    list(`starred and labeled entries not imported${why}:`, feed.missingStars, feed.missingStars.length)
  }
  list('starred and labeled entries whose feed is unknown:', unassigned, unassigned.length)
  line(
    `${count(totals.added, 'address', 'addresses')} ${isDryRun ? 'to add' : 'added'}, ${totals.existing} known already, ${totals.refused} refused`,
  )
  const words = describeEntries(totals)
  if (words !== '') line(`entries: ${words}${totals.unassigned > 0 ? `, ${totals.unassigned} of unknown feeds` : ''}`)
  if (feeds.some(({ labelsRefused }) => labelsRefused))
    io.note('some labels were not imported: you have too many labels')
  if (totals.skipped > 0) io.note(`${count(totals.skipped, 'item')} without a web address skipped`)
  if (isDryRun) io.note('dry run: nothing was changed')
}

/** Empty without entries. */
function describeEntries({ matched, read, starred, labeled, created, waiting, missing }: typeof NO_ENTRIES): string {
  return [
    matched > 0 && `${matched} found (${read} newly read, ${starred} newly starred)`,
    created > 0 && `${created} added`,
    labeled > 0 && `${labeled} labeled`,
    waiting > 0 && `${waiting} read kept for the first poll`,
    missing > 0 && `${missing} not here`,
  ]
    .filter(Boolean)
    .join(', ')
}
