/** `freshet read`: one article on the terminal. */
import type { Command } from 'commander'
import { type Paper, paperAt, paperOf, readableOf } from '../../app/index.ts'
import { configOf, type Flags, NET_OPTIONS, wholeFlag, withExamples, withSettings } from '../command.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'
import { layOut, wrapped } from '../layout.ts'

const WIDEST = 100 // longer lines are hard to read
const IN_A_PIPE = 80

export function readCommand(command: Command, io: Io): void {
  command
    .description(
      'Shows an article, wrapped to the width of the terminal: of an entry the page that it points at, if it was fetched, else what the feed says; of an address the page that is there now.',
    )
    .argument('<what>', 'the number of an entry, such as e17, or an address')
    .option('--width <n>', `columns to wrap to (default: those of the terminal, at most ${WIDEST}; 0: as they are)`)
    .option('--json', 'as one JSON object')
    .action(async (word: string, flags: Flags) => read(io, word, flags))
  withSettings(command, ['store', ...NET_OPTIONS])
  withExamples(command, 'freshet read e17', 'freshet read https://example.org/news/1', 'freshet read e17 | less')
}

async function read(io: Io, word: string, flags: Flags): Promise<void> {
  const usual = io.columns === undefined ? IN_A_PIPE : Math.min(io.columns, WIDEST)
  const width = wholeFlag(flags, 'width', usual) || Number.MAX_SAFE_INTEGER
  const config = configOf(io, flags)
  const entry = /^e?(\d{1,15})$/.exec(word)
  const paper = entry ? await paperOf(config, Number(entry[1])) : await paperAt(config, word, io.interrupted)
  if (flags.json) return printJson(io, { ...paper, at: paper.at && new Date(paper.at).toISOString() })
  tell(io, paper, width)
}

function tell(io: Io, paper: Paper, width: number): void {
  for (const line of wrapped(paper.title || 'Untitled', width)) io.headline(line)
  const date =
    paper.at &&
    new Date(paper.at)
      .toISOString()
      .slice(0, paper.dateOnly ? 10 : 16)
      .replace('T', ' ')
  const about = [paper.authors?.join(', '), date, paper.source, paper.words && count(paper.words, 'word')]
  for (const line of wrapped(about.filter(Boolean).join(' · '), width)) io.out(line)
  if (paper.url) io.out(plainLine(paper.url))
  if (paper.note) io.out(`\n(${plainLine(paper.note)})`)
  const { passages, links } = readableOf(paper.html)
  io.out('')
  for (const { text, isHeading } of layOut(passages, width)) {
    if (isHeading) io.headline(text)
    else io.out(text)
  }
  if (links.length > 0) io.out('')
  for (const [i, link] of links.entries()) io.out(`[${i + 1}] ${plainLine(link)}`)
}
