/** `freshet add`: sites, feeds and lists of feeds come in here. */
import type { Command } from 'commander'
import { type Added, openCommands, readAddresses } from '../../app/index.ts'
import { configOf, FETCH_OPTIONS, type Flags, PERSONAL_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io, jsonLines, plainLine, timeAgo } from '../io.ts'
import { labelIn } from '../label.ts'
import { createProgress } from '../progress.ts'

const MOST_SHOWN = 20

export function addCommand(command: Command, io: Io): void {
  command
    .description(
      'Add sites, feeds or OPML files.\nFinds the feeds of sites. A file is OPML, or has one address per line; - reads standard input. Works while a crawl is running.',
    )
    .argument('<address...>', 'Address of a site or feed, a file, or -.')
    .option('--folder <name>', 'Put the feeds into this folder.')
    .option('--keep', 'Keep addresses without a feed, and look for it again later.')
    .option('--all', 'Add all feeds of a site, not only the best one.')
    .option('--json', 'Print one JSON object per line.')
    .action(async (words: string[], flags: Flags) => add(io, words, flags))
  withSettings(command, [...PERSONAL_OPTIONS, 'strategy', ...FETCH_OPTIONS])
  withExamples(
    command,
    'freshet add https://example.org',
    'freshet add feeds.opml --user bob',
    'curl -s https://example.org/blogroll.opml | freshet add -',
  )
}

async function add(io: Io, words: string[], flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const folder = labelIn(flags, 'folder')
  const addresses = (await readAddresses(words, io.stdin)).map((address) => ({ ...address, ...(folder && { folder }) }))
  const commands = await openCommands(config)
  const progress = createProgress(io, 'looking for feeds')
  try {
    const added = await commands.add(
      addresses,
      { all: flags.all === true, keep: flags.keep === true, progress: progress.update },
      io.interrupted,
    )
    progress.end()
    if (flags.json) jsonLines(io, added)
    else tell(io, added, { all: flags.all === true, isRunning: commands.isRunning })
    const failed = added.filter(({ kind }) => kind === 'not-found' || kind === 'refused')
    if (failed.length === 0) return
    const hints = new Set(failed.flatMap((one) => ('hint' in one && one.hint ? [one.hint] : [])))
    for (const hint of [...hints].slice(0, MOST_SHOWN)) io.note(`hint: ${plainLine(hint)}`)
    if (!flags.keep && failed.some((one) => !('hint' in one)))
      io.note('hint: check the address, or keep it and look again later with --keep')
    throw new Exit(EXIT.failed)
  } finally {
    progress.end()
    await commands.close()
  }
}

function tell(io: Io, added: Added[], { all, isRunning }: { all: boolean; isRunning: boolean }): void {
  for (const one of added.slice(0, MOST_SHOWN)) for (const line of inWords(one, io, all)) io.out(line)
  if (added.length > MOST_SHOWN) io.out(`and ${count(added.length - MOST_SHOWN, 'more address', 'more addresses')}`)
  const feeds = added.filter((one) => one.kind === 'feed')
  const fresh = feeds.filter((one) => one.added).length
  const known = fresh < feeds.length ? `, ${feeds.length - fresh} already there` : ''
  const not = added.length > feeds.length ? `, ${count(added.length - feeds.length, 'address', 'addresses')} not` : ''
  if (added.length > 1) io.out(`${count(fresh, 'feed')} added${known}${not}`)
  if (fresh > 0 && !isRunning) io.note('next: freshet run')
}

function inWords(one: Added, io: Io, all: boolean): string[] {
  const [first = '', ...further] = wordsFor(one, io, all)
  return [plainLine(first), ...further.map((line) => `  ${plainLine(line)}`)]
}

function wordsFor(one: Added, io: Io, all: boolean): string[] {
  switch (one.kind) {
    case 'feed':
      return [
        `${one.added ? 'added' : 'already there'}: feed ${one.feedId}, ${one.title ? `${one.title}, ` : ''}${one.feedUrl}`,
        ...one.others.map((other) => `${all ? 'and' : 'the site also has'} ${other}`),
      ]
    case 'looking':
      return [`still looking for the feed of ${one.url}; see freshet status`]
    case 'not-found':
      return [
        `no feed for ${one.url}: ${one.words}${one.dueAt ? `; looked at again ${timeAgo(one.dueAt, io.now())}` : ''}`,
      ]
    case 'refused':
      return [`refused: ${one.url}: ${one.reason}`]
  }
}
