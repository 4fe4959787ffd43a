/** `freshet add`: adds sites, feeds and OPML files. */
import type { Command } from 'commander'
import { type AddResult, openCommands, readAddresses } from '../../app/index.ts'
import { configOf, FETCH_OPTIONS, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io, plainLine, printJsonLines, timeAgo } from '../io.ts'
import { labelFlag } from '../label.ts'
import { createProgress } from '../progress.ts'

const MAX_SHOWN = 20

export function addCommand(command: Command, io: Io): void {
  command
    .description(
      'Add sites, feeds or OPML files.\nFinds the feeds of sites, else their sitemaps. A file is OPML, or has one address per line. Works while a crawl is running.',
    )
    .argument('<address...>', 'Address of a site or feed, a file, or - for standard input.')
    .option('--folder <name>', 'Put the feeds into this folder.')
    .option('--keep', 'Keep addresses without a feed, and look for it again later.')
    .option('--feed', 'Add the addresses as feeds unseen, as for feeds that need settings first: freshet edit.')
    .option('--all', 'Add all feeds of a site, not only the best one.')
    .option('--json', 'Print one JSON object per line.')
    .action(async (words: string[], flags: Flags) => add(io, words, flags))
  withSettings(command, [...USER_OPTIONS, 'strategy', ...FETCH_OPTIONS])
  withExamples(
    command,
    'freshet add https://example.org',
    'freshet add feeds.opml --user bob',
    'curl -s https://example.org/blogroll.opml | freshet add -',
  )
}

async function add(io: Io, words: string[], flags: Flags): Promise<void> {
  const config = configOf(io, flags)
  const folder = labelFlag(flags, 'folder')
  const addresses = (await readAddresses(words, io.stdin)).map((address) => ({
    ...address,
    ...(folder && { folder }),
    ...(flags.feed === true && { kind: 'feed' as const }),
  }))
  const commands = await openCommands(config)
  const progress = createProgress(io, 'looking for feeds')
  try {
    const added = await commands.add(
      addresses,
      { all: flags.all === true, keep: flags.keep === true, progress: progress.update },
      io.interrupted,
    )
    progress.end()
    if (flags.json) printJsonLines(io, added)
    else printResults(io, added, { all: flags.all === true, isRunning: commands.isRunning })
    const failed = added.filter(({ kind }) => kind === 'not-found' || kind === 'refused')
    if (failed.length === 0) return
    const hints = new Set(failed.flatMap((result) => ('hint' in result && result.hint ? [result.hint] : [])))
    for (const hint of [...hints].slice(0, MAX_SHOWN)) io.note(`hint: ${plainLine(hint)}`)
    if (!flags.keep && failed.some((result) => !('hint' in result)))
      io.note('hint: check the address, or keep it and look again later with --keep')
    throw new Exit(EXIT.failed)
  } finally {
    progress.end()
    await commands.close()
  }
}

function printResults(io: Io, added: AddResult[], { all, isRunning }: { all: boolean; isRunning: boolean }): void {
  for (const result of added.slice(0, MAX_SHOWN)) for (const line of describeResult(result, io, all)) io.out(line)
  if (added.length > MAX_SHOWN) io.out(`and ${count(added.length - MAX_SHOWN, 'more address', 'more addresses')}`)
  const feeds = added.filter((result) => result.kind === 'feed')
  const addedCount = feeds.filter((result) => result.added).length
  const existing = addedCount < feeds.length ? `, ${feeds.length - addedCount} already there` : ''
  const notAdded =
    added.length > feeds.length ? `, ${count(added.length - feeds.length, 'address', 'addresses')} not` : ''
  if (added.length > 1) io.out(`${count(addedCount, 'feed')} added${existing}${notAdded}`)
  if (addedCount > 0 && !isRunning) io.note('next: freshet run')
}

function describeResult(result: AddResult, io: Io, all: boolean): string[] {
  const [first = '', ...further] = resultLines(result, io, all)
  return [plainLine(first), ...further.map((line) => `  ${plainLine(line)}`)]
}

function resultLines(result: AddResult, io: Io, all: boolean): string[] {
  switch (result.kind) {
    case 'feed':
      return [
        `${result.added ? 'added' : 'already there'}: feed ${result.feedId}, ${result.title ? `${result.title}, ` : ''}${result.feedUrl}`,
        ...result.others.map((other) => `${all ? 'and' : 'the site also has'} ${other}`),
      ]
    case 'looking':
      return [`still looking for the feed of ${result.url}; see freshet status`]
    case 'not-found':
      return [
        `no feed for ${result.url}: ${result.words}${result.dueAt ? `; looked at again ${timeAgo(result.dueAt, io.now())}` : ''}`,
      ]
    case 'refused':
      return [`refused: ${result.url}: ${result.reason}`]
  }
}
