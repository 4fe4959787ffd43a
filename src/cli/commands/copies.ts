/** `freshet copies`: who said first what an entry says, who repeated it after how long, and what was changed on the way. */

import type { Command } from 'commander'
import type { EntryShape, FollowerShape, MoveShape } from '../../api/index.ts'
import { InputError, openQueries } from '../../app/index.ts'
import { formatDuration } from '../../model/index.ts'
import { configOf, type Flags, PERSONAL_OPTIONS, withExamples, withSettings } from '../command.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'

export function copiesCommand(command: Command, io: Io): void {
  command
    .description(
      'Show who published a text first, and who copied it.\nShows the delay of each copy and its changes: [-removed words-] {+added words+}.',
    )
    .argument('<entry>', 'Entry number, such as e17.')
    .option('--json', 'Print one JSON object.')
    .action(async (word: string, flags: Flags) => copies(io, word, flags))
  withSettings(command, PERSONAL_OPTIONS)
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
    say(io, `${nameOf(first)}: ${first.title || 'untitled'}`)
    say(io, `  first, ${first.listedAt}`)
    for (const follower of followers) showFollower(io, follower)
    if (!group) io.out('  no copies')
    if (group && more) io.out(`and ${count(group.size - followers.length - 1, 'more entry', 'more entries')}`)
    for (const move of moves) if (move.level === 'copy') say(io, moveInWords(word, move))
  } finally {
    await queries.close()
  }
}

function showFollower(io: Io, follower: FollowerShape): void {
  const { entry, afterMs, from, distanceFrom, title, text, reason } = follower
  io.out('')
  say(io, `${nameOf(entry)}: ${inMarks(title)}`)
  say(
    io,
    `  ${formatDuration(afterMs)} later, from e${from} (${distanceFrom} of 64 bits differ)${reason ? `; ${reason}` : ''}`,
  )
  const changed = inMarks(text)
  if (text.some(({ kind }) => kind !== 'same')) say(io, `  ${changed}`)
}

function nameOf({ id, feedTitle }: EntryShape): string {
  return `e${id}  ${feedTitle ?? ''}`.trimEnd()
}

function moveInWords(word: string, { at, from, to, comparedBy }: MoveShape): string {
  const by = comparedBy === 'article' ? 'by the text of its article' : 'by the current text of its feed'
  const where = `${from === undefined ? 'alone' : `in g${from}`} before, ${to === undefined ? 'alone' : `in g${to}`} since`
  return `${word} was compared again on ${at}, ${by}: ${where}`
}

/** Words on either side of a change that are shown. */
const AROUND = 6
const MOST_CHANGED = 30

function inMarks(changes: FollowerShape['text']): string {
  const parts = changes.map(({ kind, text }, i) => {
    if (kind === 'removed') return `[-${cutShort(text)}-] `
    if (kind === 'added') return `{+${cutShort(text)}+} `
    return shortened(text, i > 0, i < changes.length - 1)
  })
  return parts.join('').trim()
}

/** Of a passage that only one has, as when its article was read and the other's was not. */
function cutShort(text: string): string {
  const words = text.trim().split(/(?<=\s)/)
  if (words.length <= MOST_CHANGED) return text.trim()
  return `${words.slice(0, MOST_CHANGED).join('')}… ${count(words.length - MOST_CHANGED, 'more word')}`
}

/** Of a long passage that is the same, what stands next to changes; of a text without any, all. */
function shortened(text: string, isBehind: boolean, isBefore: boolean): string {
  const words = text.split(/(?<=\s)/)
  if (words.length <= 2 * AROUND + 2 || (!isBehind && !isBefore)) return text
  const head = isBehind ? words.slice(0, AROUND).join('') : ''
  const tail = isBefore ? words.slice(-AROUND).join('') : ''
  return `${head}… ${tail}`
}

function say(io: Io, line: string): void {
  io.out(line.startsWith('  ') ? `  ${plainLine(line)}` : plainLine(line))
}
