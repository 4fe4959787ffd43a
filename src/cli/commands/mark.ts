/** `freshet mark`: marks entries as read, unread or starred. */
import type { Command } from 'commander'
import {
  type EntryStateChange,
  InputError,
  openQueries,
  openReaderState,
  type ReaderCommands,
} from '../../app/index.ts'
import type { EntryId, FeedId } from '../../model/index.ts'
import { configOf, type Flags, USER_OPTIONS, withExamples, withSettings } from '../command.ts'
import { parseEntryId } from '../entry-number.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io, printJson } from '../io.ts'
import { reportMissingEntries } from '../missing-entries.ts'
import { resolveFeed } from '../resolve-feed.ts'
import { parseTimeFlag } from './entries.ts'

const STATE_OF_FLAG = {
  read: 'read',
  unread: 'unread',
  star: 'starred',
  unstar: 'unstarred',
  mute: 'muted',
  unmute: 'unmuted',
} as const

export function markCommand(command: Command, io: Io): void {
  command
    .description(
      'Mark entries as read, unread or starred.\nMarks the given entries, or everything in a feed or folder. Works while a crawl is running.',
    )
    .argument('[entry...]', 'Entry numbers, as shown by freshet entries.')
    .option('--read', 'Mark as read. (default)')
    .option('--unread', 'Mark as unread.')
    .option('--star', 'Add a star.')
    .option('--unstar', 'Remove the star.')
    .option('--mute', 'Hide from all lists and searches, and mark as read.')
    .option('--unmute', 'Show in lists and searches again.')
    .option('--all', 'Mark all entries as read.')
    .option('--feed <feed>', 'Mark all entries of this feed as read.')
    .option('--folder <folder>', 'Mark all entries of this folder and its subfolders as read.')
    .option('--before <time>', 'Only entries older than this, such as 7d or 2026-01-31.')
    .option('--undo <change>', 'Undo a change by its number.')
    .option('--json', 'Print one JSON object.')
    .action(async (words: string[], flags: Flags) => mark(io, words, flags))
  withSettings(command, USER_OPTIONS)
  withExamples(
    command,
    'freshet mark e12 e13',
    'freshet mark e12 --star',
    'freshet mark --all --before 7d',
    'freshet mark --folder News --user bob',
    'freshet mark --undo 5',
  )
}

async function mark(io: Io, words: string[], flags: Flags): Promise<void> {
  const ids = words.map(parseEntryId)
  const isAll = flags.all === true || flags.feed !== undefined || flags.folder !== undefined
  const targetCount = [ids.length > 0, isAll, flags.undo !== undefined].filter(Boolean).length
  if (targetCount !== 1)
    throw new InputError(
      targetCount === 0 ? 'nothing to mark is given' : 'entries, --all, --feed, --folder and --undo cannot be combined',
      'give entry numbers, --all, --feed, --folder, or --undo with the number of a change',
    )
  const config = configOf(io, flags)
  let feedId: FeedId | undefined
  if (typeof flags.feed === 'string') {
    const queries = await openQueries(config)
    feedId = (await resolveFeed(flags.feed, queries).finally(queries.close)).id as FeedId
  }
  const state = await openReaderState(config, 'write')
  let unchanged: EntryId[] = []
  try {
    if (flags.undo !== undefined) await undo(io, state, flags)
    else if (isAll) await markAll(io, state, flags, feedId)
    else unchanged = await markEntries(io, state, ids, flags)
  } finally {
    await state.close()
  }
  await reportMissingEntries(io, flags, unchanged)
  if (ids.length > 0 && unchanged.length === ids.length && !flags.json)
    io.out(`nothing changed: all were ${stateOf(flags)} already`)
}

function stateOf(flags: Flags): EntryStateChange {
  const stateFlags = (Object.keys(STATE_OF_FLAG) as (keyof typeof STATE_OF_FLAG)[]).filter(
    (word) => flags[word] === true,
  )
  if (stateFlags.length > 1) throw new InputError(`--${stateFlags.join(', --')} cannot be combined`, 'give one of them')
  return STATE_OF_FLAG[stateFlags[0] ?? 'read']
}

/** Returns the entries that did not change. */
async function markEntries(io: Io, state: ReaderCommands, ids: EntryId[], flags: Flags): Promise<EntryId[]> {
  const as = stateOf(flags)
  const { changed, change } = await state.mark(ids, as)
  const undone = change === undefined ? '' : undoHint(change)
  if (flags.json) printJson(io, { changed, ...(change !== undefined && { change }) })
  else if (changed.length > 0) io.out(`${count(changed.length, 'entry', 'entries')} ${as}${undone}`)
  return ids.filter((id) => !changed.includes(id))
}

async function markAll(io: Io, state: ReaderCommands, flags: Flags, feedId: FeedId | undefined): Promise<void> {
  const { marked, change } = await state.markAllRead({
    ...(feedId !== undefined && { feedId }),
    ...(typeof flags.folder === 'string' && { folder: flags.folder }),
    ...(typeof flags.before === 'string' && { before: parseTimeFlag(flags.before, io.now(), '--before') }),
  })
  if (flags.json) return printJson(io, { marked, change })
  io.out(`${count(marked, 'entry', 'entries')} read${marked === 0 ? '' : undoHint(change)}`)
}

async function undo(io: Io, state: ReaderCommands, flags: Flags): Promise<void> {
  if (!/^\d{1,15}$/.test(String(flags.undo)))
    throw new InputError(`--undo cannot be "${flags.undo}"`, 'expected the number of a change')
  const changed = await state.undo(Number(flags.undo))
  if (flags.json) return printJson(io, { changed })
  if (changed > 0) return io.out(`${count(changed, 'entry', 'entries')} restored`)
  io.note(`change ${flags.undo} can no longer be undone`)
  throw new Exit(EXIT.failed)
}

function undoHint(change: number): string {
  return `; undo with freshet mark --undo ${change}`
}
