/** `freshet mark`: what is read and what has a star, on the terminal. */
import type { Command } from 'commander'
import {
  type Config,
  type EntryMark,
  InputError,
  openQueries,
  openReaderState,
  type ReaderState,
} from '../../app/index.ts'
import type { EntryId, FeedId } from '../../model/index.ts'
import { configOf, type Flags, PERSONAL_OPTIONS, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { feedMeant } from '../feed-word.ts'
import { count, type Io, printJson } from '../io.ts'
import { sinceOf } from './entries.ts'

const WORDS = { read: 'read', unread: 'unread', star: 'starred', unstar: 'unstarred' } as const

export function markCommand(command: Command, io: Io): void {
  command
    .description(
      'Marks entries as read, or with a star; or all of a feed or folder as read. It is for who needs no account, or has the first one, unless --person names another. If a crawl is running on the store, it is asked to do it.',
    )
    .argument('[entry...]', 'numbers of entries, as freshet entries shows them')
    .option('--read', 'as read (what is done unless told)')
    .option('--unread', 'as unread')
    .option('--star', 'with a star')
    .option('--unstar', 'without a star')
    .option('--all', 'all that there is as read')
    .option('--feed <feed>', 'all of this feed as read')
    .option('--folder <folder>', 'all of this folder, and of those below it, as read')
    .option('--before <time>', 'with --all, --feed or --folder: only what is older than this, such as 7d or 2026-01-31')
    .option('--undo <change>', 'take a change back')
    .option('--json', 'as one JSON object')
    .action(async (words: string[], flags: Flags) => mark(io, words, flags))
  withSettings(command, PERSONAL_OPTIONS)
  withExamples(
    command,
    'freshet mark e12 e13',
    'freshet mark e12 --star',
    'freshet mark --all --before 7d',
    'freshet mark --folder News --person bob',
    'freshet mark --undo 5',
  )
}

async function mark(io: Io, words: string[], flags: Flags): Promise<void> {
  const ids = words.map(entryIn)
  const isAll = flags.all === true || flags.feed !== undefined || flags.folder !== undefined
  const asked = [ids.length > 0, isAll, flags.undo !== undefined].filter(Boolean).length
  if (asked !== 1)
    throw new InputError(
      asked === 0 ? 'it is not said what to mark' : 'one thing is marked at a time',
      'name entries, or give --all, --feed or --folder, or --undo with the number of a change',
    )
  const config = configOf(io, flags)
  let feedId: FeedId | undefined
  if (typeof flags.feed === 'string') {
    const queries = await openQueries(config)
    feedId = (await feedMeant(flags.feed, queries).finally(queries.close)).id as FeedId
  }
  const state = await openReaderState(config, 'write')
  let asTheyWere: EntryId[] = []
  try {
    if (flags.undo !== undefined) await undo(io, state, flags)
    else if (isAll) await markAll(io, state, flags, feedId)
    else asTheyWere = await markSome(io, state, ids, flags)
  } finally {
    await state.close()
  }
  if (asTheyWere.length > 0) await missWhatIsNotThere(io, config, asTheyWere)
}

/** Whoever mistypes a number is told; those that are there were marked. */
async function missWhatIsNotThere(io: Io, config: Config, ids: EntryId[]): Promise<void> {
  const queries = await openQueries(config)
  const missing: EntryId[] = []
  try {
    for (const id of ids.slice(0, MOST_LOOKED_FOR)) if (!(await queries.entryDetails(id))) missing.push(id)
  } finally {
    await queries.close()
  }
  if (missing.length === 0) return
  io.note(`there is no entry ${missing.map((id) => `e${id}`).join(', ')}`)
  io.note('hint: freshet entries lists them with their numbers')
  throw new Exit(EXIT.failed)
}

const MOST_LOOKED_FOR = 100

/** Answers with those that were not changed by it. */
async function markSome(io: Io, state: ReaderState, ids: EntryId[], flags: Flags): Promise<EntryId[]> {
  const named = (Object.keys(WORDS) as (keyof typeof WORDS)[]).filter((word) => flags[word] === true)
  if (named.length > 1)
    throw new InputError('an entry is marked in one way at a time', `give one of --${named.join(', --')}`)
  const as: EntryMark = WORDS[named[0] ?? 'read']
  const { changed, change } = await state.mark(ids, as)
  const undone = change === undefined ? '' : undoHint(change)
  if (flags.json) printJson(io, { changed, ...(change !== undefined && { change }) })
  else if (changed.length === 0) io.out(`nothing was changed: what is there of them was ${as} already`)
  else io.out(`${count(changed.length, 'entry', 'entries')} ${as}${undone}`)
  return ids.filter((id) => !changed.includes(id))
}

async function markAll(io: Io, state: ReaderState, flags: Flags, feedId: FeedId | undefined): Promise<void> {
  const { marked, change } = await state.markAllRead({
    ...(feedId !== undefined && { feedId }),
    ...(typeof flags.folder === 'string' && { folder: flags.folder }),
    ...(typeof flags.before === 'string' && { before: sinceOf(flags.before, io.now(), '--before') }),
  })
  if (flags.json) return printJson(io, { marked, change })
  io.out(`${count(marked, 'entry', 'entries')} read${marked === 0 ? '' : undoHint(change)}`)
}

async function undo(io: Io, state: ReaderState, flags: Flags): Promise<void> {
  if (!/^\d{1,15}$/.test(String(flags.undo)))
    throw new InputError(`--undo cannot be "${flags.undo}"`, 'the number of a change is expected')
  const changed = await state.undo(Number(flags.undo))
  if (flags.json) return printJson(io, { changed })
  if (changed > 0) return io.out(`${count(changed, 'entry is', 'entries are')} as before`)
  io.note(`nothing is left of a change ${flags.undo} that could be taken back`)
  throw new Exit(EXIT.failed)
}

function undoHint(change: number): string {
  return `; freshet mark --undo ${change} takes it back`
}

function entryIn(word: string): EntryId {
  const [, digits] = /^e?(\d{1,15})$/i.exec(word) ?? []
  if (digits === undefined || Number(digits) === 0)
    throw new InputError(`"${word}" is no number of an entry`, 'freshet entries lists them with their numbers')
  return Number(digits) as EntryId
}
