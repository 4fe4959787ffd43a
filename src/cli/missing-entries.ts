/** Reports entry numbers that do not exist. */
import { openQueries } from '../app/index.ts'
import type { EntryId } from '../model/index.ts'
import { configOf, type Flags } from './command.ts'
import { EXIT, Exit } from './exit.ts'
import type { Io } from './io.ts'

const MAX_CHECKED = 100

/** `unchanged`: the entries that a command did not change, after it has changed the others. */
export async function reportMissingEntries(io: Io, flags: Flags, unchanged: EntryId[]): Promise<void> {
  if (unchanged.length === 0) return
  const queries = await openQueries(configOf(io, flags))
  const missing: EntryId[] = []
  try {
    for (const id of unchanged.slice(0, MAX_CHECKED)) if (!(await queries.entryDetails(id))) missing.push(id)
  } finally {
    await queries.close()
  }
  if (missing.length === 0) return
  io.note(`there is no entry ${missing.map((id) => `e${id}`).join(', ')}`)
  io.note('hint: freshet entries lists them with their numbers')
  throw new Exit(EXIT.failed)
}
