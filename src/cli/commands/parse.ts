/** `freshet parse`: parses a feed and prints its content. */
import type { Command } from 'commander'
import { NET_OPTIONS, readDocument } from '../../app/index.ts'
import type { ParsedFeed } from '../../feeds/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'

export function parseCommand(command: Command, io: Io): void {
  command
    .description('Parse a feed and print its content.\nReads a file, an address or standard input.')
    .argument('<file>', 'File or address, or - for standard input.')
    .option('--json', 'Print everything as one JSON object.')
    .action(async (word: string, flags: Flags) => parse(io, word, flags))
  withSettings(command, NET_OPTIONS)
  withExamples(
    command,
    'freshet parse feed.xml',
    'freshet parse https://example.org/feed --json',
    'curl -s https://example.org/feed | freshet parse -',
  )
}

async function parse(io: Io, word: string, flags: Flags): Promise<void> {
  const read = await readDocument(configOf(io, flags), { word, stdin: io.stdin }, io.interrupted)
  if (flags.json) printJson(io, read, datesAsText)
  else if (read.kind === 'feed') printFeed(io, read)
  if (read.kind === 'feed') return
  if (!flags.json)
    io.note(plainLine(`freshet: ${word === '-' ? 'standard input' : word} is not a feed: ${read.reason}`))
  throw new Exit(EXIT.failed)
}

function printFeed(io: Io, feed: ParsedFeed): void {
  const { facts, entries, encoding, cut, droppedEntries } = feed
  const rows: [string, string | undefined][] = [
    ['title', facts.title],
    ['about', facts.description],
    ['format', `${facts.format}, ${encoding}`],
    ['site', facts.siteUrl],
    ['feed URL', facts.selfUrl],
    ['hub', facts.hub],
    ['language', facts.language],
    ['generator', feed.generator],
    ['next page', feed.nextUrl],
    [
      'entries',
      `${entries.length}${cut ? '; the document is truncated' : ''}${droppedEntries ? `; ${droppedEntries} more were omitted` : ''}`,
    ],
  ]
  for (const [name, value] of rows) if (value) io.out(`${name.padEnd(10)} ${plainLine(value)}`)
  for (const { title, url, publishedAt, dateOnly, author, key, enclosures } of entries) {
    const date =
      publishedAt === undefined ? 'no date' : new Date(publishedAt).toISOString().slice(0, dateOnly ? 10 : 19)
    io.out(`\n${plainLine(title || 'untitled')}`)
    io.out(`  ${plainLine([date, author].filter(Boolean).join(', '))}`)
    if (url) io.out(`  ${plainLine(url)}`)
    if (key !== url) io.out(`  key ${plainLine(key)}`)
    if (enclosures) io.out(`  ${count(enclosures.length, 'enclosure')}: ${plainLine(enclosures[0]?.url ?? '')}`)
  }
}

/** Converts instants, whose names end in At, to ISO dates. */
function datesAsText(name: string, value: unknown): unknown {
  return name.endsWith('At') && typeof value === 'number' ? new Date(value).toISOString() : value
}
