/**
 * The newest entries, written once for all who listen. Ids only grow, so a place in the stream is the id of the last entry that
 * was sent: who is at the tail takes from here, who is further behind reads the catalogue until he has caught up. What is kept
 * has a bound, whoever listens.
 */
import type { Entry, EntryId, FeedId } from '../../model/index.ts'
import { type Catalogues, entriesWithTitles } from '../../views/index.ts'

export interface TailEntry {
  id: EntryId
  feedId: FeedId
  category: string
  language: string
  /** Its JSON. */
  text: string
  /** The same without what it says of copies. */
  alone: string
}

export interface Tail {
  /** Reads what arrived since; from now on, if nobody listened. Once for all who ask meanwhile. */
  refresh(): Promise<void>
  /** In the order of arrival, up to what is known now. */
  after(id: EntryId): AsyncGenerator<TailEntry>
  /** Nobody listens any more. */
  forget(): void
}

const MOST_KEPT = 500
const CHUNK = 100

export function createTail(from: Catalogues): Tail {
  /** Everything after it is in `lines`; undefined while nobody listens. */
  let begin: EntryId | undefined
  let lines: TailEntry[] = []
  let reading: Promise<void> | undefined
  let cameMeanwhile = false

  async function readNews(): Promise<void> {
    begin ??= await from.catalogue.newestEntryId()
    do {
      cameMeanwhile = false
      for await (const some of linesAfter(lines.at(-1)?.id ?? begin, from)) {
        if (begin === undefined) return
        lines.push(...some)
        const dropped = lines.splice(0, lines.length - MOST_KEPT).at(-1)
        if (dropped) begin = dropped.id
      }
    } while (cameMeanwhile && begin !== undefined)
  }

  return {
    refresh() {
      cameMeanwhile = true
      reading ??= readNews().finally(() => {
        reading = undefined
      })
      return reading
    },
    async *after(id) {
      let last = id
      while (begin === undefined || last < begin) {
        const before = last
        for await (const some of linesAfter(last, from))
          for (const line of some) {
            yield line
            last = line.id
          }
        if (last === before) return // there is nothing that the tail does not have
      }
      for (const line of lines.filter((one) => one.id > last)) yield line
    },
    forget() {
      begin = undefined
      lines = []
    },
  }
}

async function* linesAfter(id: EntryId, from: Catalogues): AsyncGenerator<TailEntry[]> {
  let entries: Entry[] = []
  for await (const entry of from.catalogue.everyEntry({ after: id })) {
    if (entries.push(entry) < CHUNK) continue
    yield await written(entries, from)
    entries = []
  }
  if (entries.length > 0) yield await written(entries, from)
}

async function written(entries: Entry[], from: Catalogues): Promise<TailEntry[]> {
  const shapes = await entriesWithTitles(entries, from)
  return entries.map(({ id, feedId }, i) => {
    const { category, language } = shapes[i]!
    const { copyOf: _, copies: __, ...alone } = shapes[i]!
    return { id, feedId, category, language, text: JSON.stringify(shapes[i]), alone: JSON.stringify(alone) }
  })
}
