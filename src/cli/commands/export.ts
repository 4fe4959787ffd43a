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

const ABOUT_HOURS = `Hours:
  Each line is an hour, named by its beginning in UTC; hours without entries
  are lines with 0. Of all feeds a line has entries, copies among them, polls,
  failed polls and bytes. With --feed, --category or --folder it has entries
  and copies; the series begins with the hour of --since, or with the first
  entry, and ends with the present hour, which is not over yet. Filters given
  together must all hold.`

/** Forms of articles; the first is the usual one. */
const FORMS = ['ndjson', 'markdown', 'html', 'warc'] as const

export function exportCommand(command: Command, io: Io): void {
  command
    .description(
      'Writes feeds as OPML; feeds, entries, articles, polls, or what was said and polled hour by hour, as one JSON object a line; articles or entries as Markdown or HTML; or articles as WARC.',
    )
    .argument('[what]', `${WHAT.join(', ')} (with a form: articles)`)
    .option('--ndjson', 'articles: one JSON object a line')
    .option('--markdown [place]', 'articles, or entries: as Markdown with front matter')
    .option('--html [place]', 'articles, or entries: as HTML that runs nothing')
    .option('--warc <file>', 'articles: their pages as they came, as a WARC 1.1 file (.warc.gz)')
    .option(
      '-o, --output <place>',
      'a file (for Markdown .md, for HTML .html) instead of standard output; any other place for these is a folder, with a file for each',
    )
    .option('--with-passwords', 'opml: with the names and passwords of private feeds in their addresses')
    .option('--csv', 'hours: as CSV, with a line of names')
    .option('--feed <feed>', 'entries, articles, polls and hours: only of this feed')
    .option('--category <name>', 'hours: only of feeds in this category; "" for feeds without one')
    .option('--folder <name>', 'hours: only of feeds in this folder, or in one below it')
    .option('--since <time>', 'entries, articles, polls and hours: not older than this, such as 24h or 2026-01-31')
    .option('--unique [level]', 'entries: of copies only one; with "story", of every story only one')
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
      word === undefined ? 'what is to be exported?' : `there is no "${word}" to export`,
      `expected one of: ${WHAT.join(', ')}`,
    )
  if (others.length > 0) throw new InputError(`--${form} and --${others[0]} do not go together`, 'choose one of them')
  const isForPeople = form === 'markdown' || form === 'html'
  if (forms.length > 0 && what !== 'articles' && !(isForPeople && what === 'entries'))
    throw new InputError(`--${form} is a form of articles, not of ${what}`, `try freshet export --${form}`)
  for (const [flag, kinds] of Object.entries(NARROWED))
    if (flags[flag] !== undefined && !kinds.includes(what))
      throw new InputError(`--${flag} is for ${kinds.join(', ')}, not for ${what}`, 'leave it out')
  if (place !== undefined && flags.output)
    throw new InputError(`--${form} ${place} says where to, and so does --output`, 'leave out --output')
  return { what, form, place: place ?? (typeof flags.output === 'string' ? flags.output : undefined) }
}

/** Some things leave only on the machine that has the store. */
function assertLocal({ server }: Config, form: ExportChoice['form'], isPrivate: boolean): void {
  if (server === '') return
  if (form === 'warc')
    throw new InputError(
      'a server gives no pages as they came',
      'export them on the machine that it runs on, or take --html',
    )
  if (isPrivate)
    throw new InputError('a server tells nobody the passwords of feeds', 'ask on the machine that it runs on')
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
