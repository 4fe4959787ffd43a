/** `freshet export`: exports feeds as OPML, articles as Markdown, HTML or WARC, and everything as NDJSON. */
import type { Command } from 'commander'
import {
  type Config,
  exportWarc,
  formatDocument,
  HTML,
  InputError,
  MARKDOWN,
  openQueries,
  opmlWithPasswords,
  type Queries,
  writeArticleFolder,
} from '../../app/index.ts'
import { jsonText } from '../../model/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { count, type Io } from '../io.ts'
import { createProgress, type Progress } from '../progress.ts'
import { resolveFeed } from '../resolve-feed.ts'
import { writeLines } from '../write-lines.ts'
import { parseTimeFlag, uniqueFlag } from './entries.ts'

const EXPORTS = ['opml', 'feeds', 'entries', 'articles', 'polls', 'hours'] as const
type ExportName = (typeof EXPORTS)[number]

/** The exports that each filter applies to. For others it is rejected, because it would have no effect. */
const FILTER_SCOPES: Readonly<Record<string, readonly ExportName[]>> = {
  feed: ['entries', 'articles', 'polls', 'hours'],
  category: ['hours'],
  folder: ['hours'],
  since: ['entries', 'articles', 'polls', 'hours'],
  csv: ['hours'],
  unique: ['entries'],
}

type EntryFilter = Parameters<Queries['lines']>[1]
type HoursFilter = Parameters<Queries['hours']>[0]

const FORMAT_HELP = `Markdown and HTML: a place that ends in .md or .html is one file; any other is a folder.

Hours: each line is an hour, named by its start in UTC. Hours without entries have
  zeros. Lines have entries, copies, polls, failed polls and bytes; with --feed,
  --category or --folder only entries and copies. The series starts with --since or
  the first entry, and ends with the current hour, which is not over yet.`

/** Formats of articles; the first is the default. */
const FORMATS = ['ndjson', 'markdown', 'html', 'warc'] as const

export function exportCommand(command: Command, io: Io): void {
  command
    .description(
      'Export feeds, entries, articles, polls or hourly counts.\nWrites OPML or one JSON object per line. Articles and entries also as Markdown or HTML, articles also as WARC.',
    )
    .argument('[what]', `${EXPORTS.join(', ')}. (default with a format: articles)`)
    .option('--ndjson', 'Write articles as one JSON object per line.')
    .option('--markdown [place]', 'Write articles or entries as Markdown with front matter.')
    .option('--html [place]', 'Write articles or entries as HTML without scripts.')
    .option('--warc <file>', 'Write the original pages of articles as a WARC 1.1 file (.warc.gz).')
    .option('-o, --output <place>', 'Output file, or a folder with a file per article. (default: standard output)')
    .option('--with-passwords', 'Include user names and passwords of private feeds in the OPML.')
    .option('--csv', 'Write hours as CSV with a header.')
    .option('--feed <feed>', 'Only this feed. For entries, articles, polls and hours.')
    .option('--category <name>', 'Only feeds of this category; "" for feeds without one. For hours.')
    .option('--folder <name>', 'Only feeds in this folder and its subfolders. For hours.')
    .option('--since <time>', 'Only what is newer, such as 24h or 2026-01-31. Not for opml and feeds.')
    .option('--unique [level]', 'Only one entry of several copies; with "story", one of each story.')
    .action(async (exportName: string | undefined, flags: Flags) => exportAll(io, exportName, flags))
  withSettings(command, [...USER_OPTIONS, 'contact', 'includeNoarchive'])
  command.addHelpText('after', `\n${FORMAT_HELP}`)
  withExamples(
    command,
    'freshet export opml -o feeds.opml',
    'freshet export entries --since 7d --unique > week.ndjson',
    'freshet export --markdown news.md --since 24h',
    'freshet export --markdown notes',
    'freshet export entries --html photos --feed 7',
    'freshet export --html --feed 3 > articles.html',
    'freshet export --warc pages.warc.gz',
    'freshet export hours --csv --since 30d > hours.csv',
    'freshet export hours --category science --since 2026-01-01',
  )
}

async function exportAll(io: Io, word: string | undefined, flags: Flags): Promise<void> {
  const { exportName, format, target } = parseChoice(word, flags)
  const since = typeof flags.since === 'string' ? parseTimeFlag(flags.since, io.now()) : undefined
  const config = configOf(io, flags)
  const isPrivate = exportName === 'opml' && flags.withPasswords === true
  assertLocal(config, format, isPrivate)
  const queries = await openQueries(config)
  const progress = createProgress(io, `exporting ${exportName}`)
  try {
    const feedId = typeof flags.feed === 'string' ? (await resolveFeed(flags.feed, queries)).id : undefined
    const unique = uniqueFlag(flags)
    const ofFeeds = {
      ...(typeof flags.category === 'string' && { category: flags.category }),
      ...(typeof flags.folder === 'string' && { folder: flags.folder }),
    }
    const filter = { ...(feedId && { feedId }), ...(since !== undefined && { since }), ...(unique && { unique }) }
    const onProgress = await createProgressCallback(exportName, queries, progress)
    if (format === 'warc') {
      const { pages, without } = await exportWarc(config, filter, String(target), { now: io.now, progress: onProgress })
      progress.end()
      const missingPages = without > 0 ? `; ${count(without, 'article')} without a stored page` : ''
      return io.note(`${target}: ${count(pages, 'page')} written${missingPages}`)
    }
    const readable = format === 'markdown' ? MARKDOWN : format === 'html' ? HTML : undefined
    const all = () => queries.readables(exportName === 'entries' ? 'entries' : 'articles', filter)
    if (readable && target && !new RegExp(`\\.${readable.extension}$`, 'i').test(target)) {
      const written = await writeArticleFolder(all(), readable, target, onProgress)
      progress.end()
      return io.note(
        `${target}: ${exportName === 'entries' ? count(written, 'entry', 'entries') : count(written, 'article')} written`,
      )
    }
    const lines = readable
      ? formatDocument(all(), readable)
      : isPrivate
        ? singleDocument(opmlWithPasswords(config))
        : linesOf(exportName, queries, { ...filter, ...ofFeeds, csv: flags.csv === true })
    const written = await writeLines(io, countLines(lines, onProgress), target, { isPrivate })
    progress.end()
    if (target) io.note(`${target}: ${count(written, readable ? 'part' : 'line')} written`)
  } finally {
    progress.end()
    await queries.close()
  }
}

interface ExportChoice {
  exportName: ExportName
  format: (typeof FORMATS)[number]
  /** Undefined: write to standard output. */
  target: string | undefined
}

function parseChoice(word: string | undefined, flags: Flags): ExportChoice {
  const formats = FORMATS.filter((format) => flags[format])
  const [format = 'ndjson', ...otherFormats] = formats
  const flagValue = typeof flags[format] === 'string' ? flags[format] : undefined
  // `--markdown articles` means `articles --markdown`.
  const isWhat = format !== 'warc' && word === undefined && EXPORTS.some((one) => one === flagValue)
  const exportName = EXPORTS.find(
    (one) => one === ((isWhat ? flagValue : word) ?? (formats.length > 0 ? 'articles' : undefined)),
  )
  const target = isWhat ? undefined : flagValue
  if (!exportName)
    throw new InputError(
      word === undefined ? 'nothing to export is given' : `cannot export "${word}"`,
      `expected one of: ${EXPORTS.join(', ')}`,
    )
  if (otherFormats.length > 0)
    throw new InputError(`--${format} and --${otherFormats[0]} cannot be combined`, 'choose one of them')
  const isForPeople = format === 'markdown' || format === 'html'
  if (formats.length > 0 && exportName !== 'articles' && !(isForPeople && exportName === 'entries'))
    throw new InputError(
      `--${format} is a format for articles, not for ${exportName}`,
      `try freshet export --${format}`,
    )
  for (const [flag, kinds] of Object.entries(FILTER_SCOPES))
    if (flags[flag] !== undefined && !kinds.includes(exportName))
      throw new InputError(`--${flag} works with ${kinds.join(', ')}, not with ${exportName}`, 'leave it out')
  if (target !== undefined && flags.output)
    throw new InputError(`--${format} ${target} and --output both give a target`, 'leave out --output')
  return {
    exportName,
    format,
    target: target ?? (typeof flags.output === 'string' ? flags.output : undefined),
  }
}

/** Original pages and passwords can only be exported on the machine of the store. */
function assertLocal({ server }: Config, format: ExportChoice['format'], isPrivate: boolean): void {
  if (server === '') return
  if (format === 'warc')
    throw new InputError(
      'a remote server does not export original pages',
      'run the export on the machine of the server, or use --html',
    )
  if (isPrivate)
    throw new InputError('a remote server does not export passwords', 'run the export on the machine of the server')
}

async function* singleDocument(document: Promise<string>): AsyncIterable<string> {
  yield (await document).trimEnd()
}

async function* linesOf(
  exportName: ExportName,
  queries: Queries,
  { csv, unique, ...narrowed }: EntryFilter & HoursFilter & { csv: boolean },
): AsyncIterable<string> {
  if (exportName === 'opml') yield* singleDocument(queries.opml())
  else if (exportName === 'hours') yield* hourLines(queries, narrowed, csv)
  else yield* queries.lines(exportName, { ...narrowed, ...(unique && { unique }) })
}

const FILTERED_COLUMNS = ['at', 'entries', 'copies'] as const
const ALL_COLUMNS = [...FILTERED_COLUMNS, 'polls', 'failed', 'bytes'] as const

/** The hourly series as NDJSON or CSV. */
async function* hourLines(queries: Queries, filter: HoursFilter, csv: boolean): AsyncIterable<string> {
  const isNarrowed = [filter.feedId, filter.category, filter.folder].some((one) => one !== undefined)
  const names = isNarrowed ? FILTERED_COLUMNS : ALL_COLUMNS
  if (csv) yield names.join(',')
  for await (const hour of queries.hours(filter)) yield csv ? names.map((name) => hour[name]).join(',') : jsonText(hour)
}

async function createProgressCallback(
  exportName: ExportName,
  queries: Queries,
  progress: Progress,
): Promise<(done: number) => void> {
  const counts = await queries.counts()
  const total = {
    opml: 1,
    feeds: counts.feeds.active,
    entries: counts.entries,
    articles: counts.articles.read,
    polls: counts.polls,
    hours: 1,
  }[exportName]
  return (done) => done % 100 === 0 && progress.update(done, Math.max(done, total))
}

async function* countLines(lines: AsyncIterable<string>, onProgress: (done: number) => void): AsyncIterable<string> {
  let done = 0
  for await (const line of lines) {
    yield line
    onProgress(++done)
  }
}
