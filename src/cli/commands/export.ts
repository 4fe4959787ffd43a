/** `freshet export`: everything out. Lists of feeds as OPML, articles in the forms of those who read them, the rest as JSON. */
import type { Command } from 'commander'
import type { StatisticsShape } from '../../api/index.ts'
import {
  HTML,
  InputError,
  MARKDOWN,
  type OpenStore,
  oneDocument,
  openForReading,
  opmlOf,
  readables,
  writeFolder,
  writeWarc,
} from '../../app/index.ts'
import { jsonText } from '../../model/index.ts'
import { type ExportFilter, exportLines, namedStatistics } from '../../views/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { feedMeant } from '../feed-word.ts'
import { count, type Io } from '../io.ts'
import { writeLines } from '../lines-out.ts'
import { createProgress, type Progress } from '../progress.ts'
import { sinceOf, uniqueOf } from './entries.ts'

const WHAT = ['opml', 'feeds', 'entries', 'articles', 'polls', 'hours'] as const
type What = (typeof WHAT)[number]

/** What these options narrow down; of all else they would silently change nothing. */
const NARROWED: Readonly<Record<string, readonly What[]>> = {
  feed: ['entries', 'articles', 'polls'],
  since: ['entries', 'articles', 'polls', 'hours'],
  csv: ['hours'],
  unique: ['entries'],
}

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
    .option('--feed <feed>', 'entries, articles and polls: only of this feed')
    .option('--since <time>', 'entries, articles and polls: not older than this, such as 24h or 2026-01-31')
    .option('--unique [level]', 'entries: of copies only one; with "story", of every story only one')
    .action(async (what: string | undefined, flags: Flags) => exportAll(io, what, flags))
  withSettings(command, ['store', 'contact'])
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
  )
}

async function exportAll(io: Io, word: string | undefined, flags: Flags): Promise<void> {
  const { what, form, place } = choiceIn(word, flags)
  const since = typeof flags.since === 'string' ? sinceOf(flags.since, io.now()) : undefined
  const config = configOf(io, flags)
  const opened = await openForReading(config)
  const progress = createProgress(io, `exporting ${what}`)
  try {
    const feedId = typeof flags.feed === 'string' ? (await feedMeant(flags.feed, opened)).feed.id : undefined
    const unique = uniqueOf(flags)
    const filter = { ...(feedId && { feedId }), ...(since !== undefined && { since }), ...(unique && { unique }) }
    const tell = await teller(what, opened, progress)
    if (form === 'warc') {
      const file = String(place)
      const { pages, without } = await writeWarc(opened, filter, file, {
        contact: config.contact,
        now: io.now,
        tell,
      })
      progress.end()
      const rest = without > 0 ? `; of ${count(without, 'article')} no page is kept` : ''
      return io.note(`${file}: ${count(pages, 'page')} written${rest}`)
    }
    const readable = form === 'markdown' ? MARKDOWN : form === 'html' ? HTML : undefined
    const all = () => readables(what === 'entries' ? 'entries' : 'articles', opened, filter)
    if (readable && place && !new RegExp(`\\.${readable.extension}$`, 'i').test(place)) {
      const written = await writeFolder(all(), readable, place, tell)
      progress.end()
      return io.note(
        `${place}: ${what === 'entries' ? count(written, 'entry', 'entries') : count(written, 'article')} written`,
      )
    }
    const lines = readable
      ? oneDocument(all(), readable)
      : linesOf(what, opened, { ...filter, withPasswords: flags.withPasswords === true, csv: flags.csv === true })
    const written = await writeLines(io, counted(lines, tell), place)
    progress.end()
    if (place) io.note(`${place}: ${count(written, readable ? 'part' : 'line')} written`)
  } finally {
    progress.end()
    await opened.close()
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

async function* linesOf(
  what: What,
  opened: OpenStore,
  { withPasswords, csv, ...filter }: ExportFilter & { withPasswords: boolean; csv: boolean },
): AsyncIterable<string> {
  if (what === 'opml') yield (await opmlOf(opened, withPasswords)).trimEnd()
  else if (what === 'hours') yield* hourLines((await namedStatistics(filter.since ?? 0, opened)).series, csv)
  else yield* exportLines(what, opened, filter)
}

/** The series by hour, for programs that predict: one JSON object a line, or CSV. */
function* hourLines(series: StatisticsShape['series'], csv: boolean): Iterable<string> {
  const names = ['at', 'entries', 'copies', 'polls', 'failed', 'bytes'] as const
  if (csv) yield names.join(',')
  for (const hour of series) yield csv ? names.map((name) => hour[name]).join(',') : jsonText(hour)
}

async function teller(what: What, { catalogue }: OpenStore, progress: Progress): Promise<(done: number) => void> {
  const counts = await catalogue.counts()
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
