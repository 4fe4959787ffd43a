/** `freshet read`: shows an article in the terminal. */
import type { Command } from 'commander'
import {
  type Config,
  InputError,
  NET_OPTIONS,
  openCommands,
  openQueries,
  type ReadableArticle,
  readableArticleAt,
} from '../../app/index.ts'
import { readableOf } from '../../articles/index.ts'
import { configOf, type Flags, integerFlag, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'
import { layOut, wrapText } from '../layout.ts'

const MAX_WIDTH = 100 // longer lines are hard to read
const PIPE_WIDTH = 80

export function readCommand(command: Command, io: Io): void {
  command
    .description(
      'Read an article in the terminal.\nFor an entry, shows the richer text of page and feed; for an address, the current page.',
    )
    .argument('<article>', 'Entry number such as e17, or an address.')
    .option('--width <n>', `Columns to wrap at; 0 does not wrap. (default: terminal width, at most ${MAX_WIDTH})`)
    .option('--fetch', 'Fetch the page of the entry first, before all others.')
    .option('--from <text>', 'Which text of the entry to show: feed or page. (default: the richer one)')
    .option('--json', 'Print one JSON object.')
    .action(async (word: string, flags: Flags) => read(io, word, flags))
  withSettings(command, [...USER_OPTIONS, ...NET_OPTIONS])
  withExamples(
    command,
    'freshet read e17',
    'freshet read e17 --fetch',
    'freshet read https://example.org/news/1',
    'freshet read e17 | less',
  )
}

async function read(io: Io, word: string, flags: Flags): Promise<void> {
  const usual = io.columns === undefined ? PIPE_WIDTH : Math.min(io.columns, MAX_WIDTH)
  const width = integerFlag(flags, 'width', usual) || Number.MAX_SAFE_INTEGER
  const config = configOf(io, flags)
  const entry = /^e?(\d{1,15})$/.exec(word)
  const readable = entry
    ? await readEntry(io, config, Number(entry[1]), flags)
    : await readableArticleAt(config, word, io.interrupted)
  if (flags.json) return printJson(io, { ...readable, at: readable.at && new Date(readable.at).toISOString() })
  printArticle(io, readable, width)
}

async function readEntry(io: Io, config: Config, id: number, flags: Flags): Promise<ReadableArticle> {
  const { from } = flags
  if (from !== undefined && from !== 'feed' && from !== 'page')
    throw new InputError(`--from cannot be "${from}"`, 'expected feed or page')
  if (flags.fetch) await fetchArticle(io, config, id)
  const queries = await openQueries(config)
  const readable = await queries.readableEntry(id, from).finally(queries.close)
  if (readable) return readable
  throw new InputError(`there is no entry e${id}`, 'freshet entries lists entries with their numbers')
}

async function fetchArticle(io: Io, config: Config, id: number): Promise<void> {
  const commands = await openCommands(config)
  const result = await commands.fetchArticle(id, io.interrupted).finally(commands.close)
  if (result?.kind !== 'later') return
  const reason = result.why ? ` (${result.why})` : ''
  io.note(`the page waits for its turn${reason}; it will be fetched as soon as its site allows`)
}

function printArticle(io: Io, readable: ReadableArticle, width: number): void {
  for (const line of wrapText(readable.title || 'Untitled', width)) io.headline(line)
  const date =
    readable.at &&
    new Date(readable.at)
      .toISOString()
      .slice(0, readable.dateOnly ? 10 : 16)
      .replace('T', ' ')
  const about = [readable.authors?.join(', '), date, readable.source, readable.words && count(readable.words, 'word')]
  for (const line of wrapText(about.filter(Boolean).join(' · '), width)) io.out(line)
  if (readable.url) io.out(plainLine(readable.url))
  if (readable.note) io.out(`\n(${plainLine(readable.note)})`)
  const { passages, links } = readableOf(readable.html)
  io.out('')
  for (const { text, isHeading } of layOut(passages, width)) {
    if (isHeading) io.headline(text)
    else io.out(text)
  }
  if (links.length > 0) io.out('')
  for (const [i, link] of links.entries()) io.out(`[${i + 1}] ${plainLine(link)}`)
}
