/** `freshet export`: everything out. Lists of feeds as OPML, articles in the forms of those who read them, the rest as JSON. */
import type { Command } from 'commander'
import {
  type Config,
  exportWarc,
  HTML,
  InputError,
  MARKDOWN,
  oneDocument,
  openQueries,
  opmlWithPasswords,
  type Queries,
  writeFolder,
} from '../../app/index.ts'
import { jsonText } from '../../model/index.ts'
import { configOf, type Flags, PERSONAL_OPTIONS, withExamples, withSettings } from '../command.ts'
import { feedMeant } from '../feed-word.ts'
import { count, type Io } from '../io.ts'
import { writeLines } from '../lines-out.ts'
import { createProgress, type Progress } from '../progress.ts'
import { sinceOf, uniqueOf } from './entries.ts'

const WHAT = ['opml', 'feeds', 'entries', 'articles', 'polls', 'hours'] as const
type What = (typeof WHAT)[number]

/** What these options narrow down; of all else they would silently change nothing. */
const NARROWED: Readonly<Record<string, readonly What[]>> = {
  feed: ['entries', 'articles', 'polls', 'hours'],
  category: ['hours'],
  folder: ['hours'],
  since: ['entries', 'articles', 'polls', 'hours'],
  csv: ['hours'],
  unique: ['entries'],
}

type EntryFilter = Parameters<Queries['lines']>[1]
type HoursAsked = Parameters<Queries['hours']>[0]

const ABOUT_HOURS = `Markdown and HTML: a place that ends in .md or .html is one file; any other is a folder.

Hours: each line is an hour, named by its start in UTC. Hours without entries have
  zeros. Lines have entries, copies, polls, failed polls and bytes; with --feed,
  --category or --folder only entries and copies. The series starts with --since or
  the first entry, and ends with the current hour, which is not over yet.`

/** Forms of articles; the first is the usual one. */
const FORMS = ['ndjson', 'markdown', 'html', 'warc'] as const

export function exportCommand(command: Command, io: Io): void {
  command
    .description(
      'Export feeds, entries, articles, polls or hourly counts.\nWrites OPML or one JSON object per line. Articles and entries also as Markdown or HTML, articles also as WARC.',
    )
    .argument('[what]', `${WHAT.join(', ')}. (default with a format: articles)`)
    .option('--ndjson', 'Write articles as one JSON object per line.')
    .option('--markdown [place]', 'Write articles or entries as Markdown with front matter.')
    .option('--html [place]', 'Write articles or entries as HTML without scripts.')
    .option('--warc <file>', 'Write the original pages of articles as a WARC 1.1 file (.warc.gz).')
    .option('-o, --output <place>', 'Output file, or a folder with a file per article. (default: standard output)')
    .option('--with-passwords', 'Include user names and passwords of private feeds in the OPML.')
    .option('--csv', 'Write hours as CSV with a header.')
    .option('--feed <feed>', 'Only of this feed. For entries, articles, polls and hours.')
    .option('--category <name>', 'Only feeds of this category; "" for feeds without one. For hours.')
    .option('--folder <name>', 'Only feeds in this folder and its subfolders. For hours.')
    .option('--since <time>', 'Only what is newer, such as 24h or 2026-01-31. Not for opml and feeds.')
    .option('--unique [level]', 'Only one entry of several copies; with "story", one of each story.')
    .action(async (what: string | undefined, flags: Flags) => exportAll(io, what, flags))
  withSettings(command, [...PERSONAL_OPTIONS, 'contact'])
  command.addHelpText('after', `\n${ABOUT_HOURS}`)
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
  const { what, form, place } = choiceIn(word, flags)
  const since = typeof flags.since === 'string' ? sinceOf(flags.since, io.now()) : undefined
  const config = configOf(io, flags)
  const isPrivate = what === 'opml' && flags.withPasswords === true
  assertLocal(config, form, isPrivate)
  const queries = await openQueries(config)
  const progress = createProgress(io, `exporting ${what}`)
  try {
    const feedId = typeof flags.feed === 'string' ? (await feedMeant(flags.feed, queries)).id : undefined
    const unique = uniqueOf(flags)
    const ofFeeds = {
      ...(typeof flags.category === 'string' && { category: flags.category }),
      ...(typeof flags.folder === 'string' && { folder: flags.folder }),
    }
    const filter = { ...(feedId && { feedId }), ...(since !== undefined && { since }), ...(unique && { unique }) }
    const tell = await teller(what, queries, progress)
    if (form === 'warc') {
      const { pages, without } = await exportWarc(config, filter, String(place), { now: io.now, progress: tell })
      progress.end()
      const rest = without > 0 ? `; of ${count(without, 'article')} no page is kept` : ''
      return io.note(`${place}: ${count(pages, 'page')} written${rest}`)
    }
    const readable = form === 'markdown' ? MARKDOWN : form === 'html' ? HTML : undefined
    const all = () => queries.readables(what === 'entries' ? 'entries' : 'articles', filter)
    if (readable && place && !new RegExp(`\\.${readable.extension}$`, 'i').test(place)) {
      const written = await writeFolder(all(), readable, place, tell)
      progress.end()
      return io.note(
        `${place}: ${what === 'entries' ? count(written, 'entry', 'entries') : count(written, 'article')} written`,
      )
    }
    const lines = readable
      ? oneDocument(all(), readable)
      : isPrivate
        ? oneLine(opmlWithPasswords(config))
        : linesOf(what, queries, { ...filter, ...ofFeeds, csv: flags.csv === true })
    const written = await writeLines(io, counted(lines, tell), place, { isPrivate })
    progress.end()
    if (place) io.note(`${place}: ${count(written, readable ? 'part' : 'line')} written`)
  } finally {
    progress.end()
    await queries.close()
  }
}

interface ExportChoice {
  what: What
  form: (typeof FORMS)[number]
  /** Undefined: standard output. */
  place: string | undefined
}

function choiceIn(word: string | undefined, flags: Flags): ExportChoice {
  const forms = FORMS.filter((form) => flags[form])
  const [form = 'ndjson', ...others] = forms
  const behind = typeof flags[form] === 'string' ? flags[form] : undefined
  // `--markdown articles` names what is exported, as `articles --markdown` does.
  const isWhat = form !== 'warc' && word === undefined && WHAT.some((one) => one === behind)
  const what = WHAT.find((one) => one === ((isWhat ? behind : word) ?? (forms.length > 0 ? 'articles' : undefined)))
  const place = isWhat ? undefined : behind
  if (!what)
    throw new InputError(
      word === undefined ? 'nothing to export is given' : `cannot export "${word}"`,
      `expected one of: ${WHAT.join(', ')}`,
    )
  if (others.length > 0) throw new InputError(`--${form} and --${others[0]} cannot be combined`, 'choose one of them')
  const isForPeople = form === 'markdown' || form === 'html'
  if (forms.length > 0 && what !== 'articles' && !(isForPeople && what === 'entries'))
    throw new InputError(`--${form} is a format for articles, not for ${what}`, `try freshet export --${form}`)
  for (const [flag, kinds] of Object.entries(NARROWED))
    if (flags[flag] !== undefined && !kinds.includes(what))
      throw new InputError(`--${flag} works with ${kinds.join(', ')}, not with ${what}`, 'leave it out')
  if (place !== undefined && flags.output)
    throw new InputError(`--${form} ${place} and --output both give a target`, 'leave out --output')
  return { what, form, place: place ?? (typeof flags.output === 'string' ? flags.output : undefined) }
}

/** Some things leave only on the machine that has the store. */
function assertLocal({ server }: Config, form: ExportChoice['form'], isPrivate: boolean): void {
  if (server === '') return
  if (form === 'warc')
    throw new InputError(
      'a remote server does not export original pages',
      'run the export on the machine of the server, or use --html',
    )
  if (isPrivate)
    throw new InputError('a remote server does not export passwords', 'run the export on the machine of the server')
}

async function* oneLine(document: Promise<string>): AsyncIterable<string> {
  yield (await document).trimEnd()
}

async function* linesOf(
  what: What,
  queries: Queries,
  { csv, unique, ...narrowed }: EntryFilter & HoursAsked & { csv: boolean },
): AsyncIterable<string> {
  if (what === 'opml') yield* oneLine(queries.opml())
  else if (what === 'hours') yield* hourLines(queries, narrowed, csv)
  else yield* queries.lines(what, { ...narrowed, ...(unique && { unique }) })
}

const OF_SOME = ['at', 'entries', 'copies'] as const
const OF_ALL = [...OF_SOME, 'polls', 'failed', 'bytes'] as const

/** The series by hour, for programs that predict: one JSON object a line, or CSV. */
async function* hourLines(queries: Queries, asked: HoursAsked, csv: boolean): AsyncIterable<string> {
  const isNarrowed = [asked.feedId, asked.category, asked.folder].some((one) => one !== undefined)
  const names = isNarrowed ? OF_SOME : OF_ALL
  if (csv) yield names.join(',')
  for await (const hour of queries.hours(asked)) yield csv ? names.map((name) => hour[name]).join(',') : jsonText(hour)
}

async function teller(what: What, queries: Queries, progress: Progress): Promise<(done: number) => void> {
  const counts = await queries.counts()
  const total = {
    opml: 1,
    feeds: counts.feeds.active,
    entries: counts.entries,
    articles: counts.articles.read,
    polls: counts.polls,
    hours: 1,
  }[what]
  return (done) => done % 100 === 0 && progress.update(done, Math.max(done, total))
}

async function* counted(lines: AsyncIterable<string>, tell: (done: number) => void): AsyncIterable<string> {
  let done = 0
  for await (const line of lines) {
    yield line
    tell(++done)
  }
}
