/** `freshet copies`: shows who published a text first, who copied it with what delay, and the changes. */
import type { Command } from 'commander'
import type { EntryShape, FollowerShape, MoveShape } from '../../api/index.ts'
import { InputError, openQueries } from '../../app/index.ts'
import { formatDuration } from '../../model/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'

export function copiesCommand(command: Command, io: Io): void {
  command
    .description(
      'Show who published a text first, and who copied it.\nShows the delay of each copy and its changes: [-removed words-] {+added words+}.',
    )
    .argument('<entry>', 'Entry number, such as e17.')
    .option('--json', 'Print one JSON object.')
    .action(async (word: string, flags: Flags) => copies(io, word, flags))
  withSettings(command, USER_OPTIONS)
  withExamples(command, 'freshet copies e17', 'freshet copies e17 --json | jq .first.feedTitle')
}

async function copies(io: Io, word: string, flags: Flags): Promise<void> {
  const number = /^e?(\d{1,15})$/.exec(word)?.[1]
  const queries = await openQueries(configOf(io, flags))
  try {
    const lineage = number === undefined ? undefined : await queries.copiesOf(Number(number))
    if (!lineage)
      throw new InputError(`there is no entry "${word}"`, 'freshet entries lists entries with their numbers')
    if (flags.json) return printJson(io, lineage)
    const { first, followers, group, more, moves } = lineage
    printLine(io, `${entryName(first)}: ${first.title || 'untitled'}`)
    printLine(io, `  first, ${first.listedAt}`)
    for (const follower of followers) printFollower(io, follower)
    if (!group) io.out('  no copies')
    if (group && more) io.out(`and ${count(group.size - followers.length - 1, 'more entry', 'more entries')}`)
    for (const move of moves) if (move.level === 'copy') printLine(io, describeMove(word, move))
  } finally {
    await queries.close()
  }
}

function printFollower(io: Io, follower: FollowerShape): void {
  const { entry, afterMs, from, distanceFrom, title, text, reason } = follower
  io.out('')
  printLine(io, `${entryName(entry)}: ${markChanges(title)}`)
  printLine(
    io,
    `  ${formatDuration(afterMs)} later, from e${from} (${distanceFrom} of 64 bits differ)${reason ? `; ${reason}` : ''}`,
  )
  const changed = markChanges(text)
  if (text.some(({ kind }) => kind !== 'same')) printLine(io, `  ${changed}`)
}

function entryName({ id, feedTitle }: EntryShape): string {
  return `e${id}  ${feedTitle ?? ''}`.trimEnd()
}

function describeMove(word: string, { at, from, to, comparedBy }: MoveShape): string {
  const by = comparedBy === 'article' ? 'by the text of its article' : 'by the current text of its feed'
  const where = `${from === undefined ? 'alone' : `in g${from}`} before, ${to === undefined ? 'alone' : `in g${to}`} since`
  return `${word} was compared again on ${at}, ${by}: ${where}`
}

/** The number of unchanged words shown on each side of a change. */
const CONTEXT_WORDS = 6
const MAX_CHANGED_WORDS = 30

function markChanges(changes: FollowerShape['text']): string {
  const parts = changes.map(({ kind, text }, i) => {
    if (kind === 'removed') return `[-${truncateWords(text)}-] `
    if (kind === 'added') return `{+${truncateWords(text)}+} `
    return elideMiddle(text, i > 0, i < changes.length - 1)
  })
  return parts.join('').trim()
}

/** Shortens long passages that only one text has, such as when only one article was fetched. */
function truncateWords(text: string): string {
  const words = text.trim().split(/(?<=\s)/)
  if (words.length <= MAX_CHANGED_WORDS) return text.trim()
  return `${words.slice(0, MAX_CHANGED_WORDS).join('')}… ${count(words.length - MAX_CHANGED_WORDS, 'more word')}`
}

/** Shortens long unchanged passages to the words next to changes. Texts without changes are shown in full. */
function elideMiddle(text: string, isBehind: boolean, isBefore: boolean): string {
  const words = text.split(/(?<=\s)/)
  if (words.length <= 2 * CONTEXT_WORDS + 2 || (!isBehind && !isBefore)) return text
  const head = isBehind ? words.slice(0, CONTEXT_WORDS).join('') : ''
  const tail = isBefore ? words.slice(-CONTEXT_WORDS).join('') : ''
  return `${head}… ${tail}`
}

function printLine(io: Io, line: string): void {
  io.out(line.startsWith('  ') ? `  ${plainLine(line)}` : plainLine(line))
}
