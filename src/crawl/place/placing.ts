/**
 * Where entries belong among copies and stories. Entries wait in the store's line until they are placed here, in chunks; so
 * a crash loses nothing, and what changed, has got an article or is gone comes by the same way and is placed again, or
 * taken out.
 *
 * The indexes (place-index.ts) are in memory and never the only place where something is known: they are filled from the
 * store's signatures when the first entry comes, and thrown away when the store refuses what they found.
 */
import { packSignature, plainSignature, signature } from '../../dedup/index.ts'
import { plainText } from '../../markup/index.ts'
import { type ComparedBy, DAY, type Entry, type EntryId, GROUP_LEVELS, type Instant } from '../../model/index.ts'
import {
  type Clock,
  createStretch,
  type KeptHabits,
  type Lines,
  type Mark,
  type PlacedEntry,
} from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { letOthersIf } from '../in-pieces.ts'
import { createWall, isOfStore } from '../wall.ts'
import { type OwnWords, ownWords, type SaidEntry } from './own-words.ts'
import { type Grouping, type PlaceIndex, type PlaceItem, WINDOWS_KEPT, warmIndex } from './place-index.ts'

export interface PlacerParts extends Grouping {
  lines: Lines
  clock: Clock
  emit: (event: CrawlEvent) => void
}

export interface Placer {
  /** Places what waits longest, of so many entries; then makes one group of what turned out to be one. True if there may be more. */
  placeChunk(size?: number): Promise<boolean>
}

const CHUNK = 40
/** More than these are signed, placed and written with turns for others in between: what is alike takes far longer than a chunk before could tell. */
const FEW = 5
const LONGEST_COMPARED = 20_000 // characters of an entry's HTML; its first words are compared

export function createPlacer(parts: PlacerParts): Placer {
  const { lines, clock, emit } = parts
  const wall = createWall(parts)
  const isOff = parts.copies === 'off' && parts.stories === 'off'
  let index: PlaceIndex | undefined
  let askedAgain = false

  async function placeChunk(size = CHUNK): Promise<boolean> {
    const { marks, changes } = await lines.unplaced(size)
    if (changes.length === 0) return (await lines.goOver(size)) > 0
    if (isOff) await lines.place([], marks, clock.now())
    else {
      const inIndex = changes.filter(({ wasPlaced }) => wasPlaced).map(({ id }) => id)
      const stretch = createStretch()
      const pause = async () => {
        if (changes.length > FEW && stretch.isOver()) await stretch.pause()
      }
      const said: Said[] = []
      for (const { id, entry, text } of changes) {
        await wall.guarded(`reading entry ${id}`, () => entry && said.push(saidBy(entry, text)))
        await pause()
      }
      const { own, habits } = await ownWordsOf(said, pause)
      await letOthersIf(said.length > FEW)
      const items: PlaceItem[] = []
      for (const one of said) {
        await wall.guarded(`signing entry ${one.id}`, () => isPast(one) || items.push(itemOf(one, own.get(one.id))))
        await pause()
      }
      await place(items, inIndex, marks, habits)
    }
    return true
  }

  /** By plain SimHash texts are compared as they came. Where we cannot tell what is an entry's own, all of it is. */
  async function ownWordsOf(said: readonly Said[], pause: () => Promise<void>): Promise<OwnWords> {
    let words: OwnWords = { own: new Map(), habits: [] }
    if (parts.copies === 'simhash') return words
    await wall.guarded(`learning what ${said.length} entries share`, async () => {
      words = await ownWords(lines, said, pause)
    })
    return words
  }

  async function place(items: PlaceItem[], inIndex: EntryId[], marks: Mark[], habits: KeptHabits[]): Promise<void> {
    try {
      await placeTogether(items, inIndex, marks, habits)
    } catch (error) {
      if (isOfStore(error)) throw error
      wall.report(`placing ${items.length} entries`, error)
      for (const item of items)
        await wall.guarded(`placing entry ${item.id}`, () => placeTogether([item], [item.id], [], []))
      await lines.place([], marks, clock.now(), habits) // one that cannot be placed stays alone
    }
  }

  async function placeTogether(
    items: PlaceItem[],
    inIndex: EntryId[],
    marks: Mark[],
    habits: KeptHabits[],
  ): Promise<void> {
    index ??= await warm()
    try {
      index.forget(inIndex)
      await letOthersIf(items.length > FEW)
      const placed = await index.place(items)
      await letOthersIf(items.length > FEW)
      const moves = await lines.place(placed, marks, clock.now(), habits)
      const titles = new Map(items.map(({ id, headline }) => [id, headline]))
      for (const move of moves) emit({ ...move, kind: 'regrouped', title: titles.get(move.entryId) ?? '' })
      const before = new Set(inIndex)
      for (const { id, joins } of placed) if (!before.has(id)) tellJoins(id, titles.get(id) ?? '', joins)
    } catch (error) {
      index = undefined // it knows more than the store does
      throw error
    }
  }

  function tellJoins(entryId: EntryId, title: string, joins: PlacedEntry['joins']): void {
    for (const level of GROUP_LEVELS) {
      const { likeId, likeness, reason } = joins[level] ?? {}
      if (likeness === undefined || reason === undefined) continue
      const like = { ...(likeId !== undefined && { likeId }), likeness, reason }
      emit({ kind: 'joined', at: clock.now(), entryId, title, level, ...like })
    }
  }

  /** What an earlier version of ours signed waits for its place once more, behind what waits now; once is enough. */
  async function warm(): Promise<PlaceIndex> {
    const now = clock.now()
    const warmed = await warmIndex(lines, parts, now)
    if (warmed.outdated > 0 && !askedAgain) {
      askedAgain = true
      emit({ kind: 'signed-otherwise', at: now, entries: await lines.placeAgain(now - parts.groupWindowMs) })
    }
    return warmed
  }

  /** Said so long ago that nothing is known any more that could be compared with it: most of what a new feed shows. */
  function isPast({ at }: Said): boolean {
    return at < clock.now() - WINDOWS_KEPT * parts.groupWindowMs
  }

  function itemOf({ id, at, title, brief, text, comparedBy }: Said, own = { title, text }): PlaceItem {
    const signed = parts.copies === 'simhash' ? plainSignature({ title, summary: brief }) : signature(own)
    return { ...own, id, at, headline: title, comparedBy, signature: signed, packed: packSignature(signed) }
  }

  return { placeChunk }
}

interface Said extends SaidEntry {
  /** Its description as it came, with its markup: what the founding paper compares. */
  brief: string
  comparedBy: ComparedBy
}

/** What the feed shows, until the article has been read; then that, if it says anything. */
function saidBy(entry: Entry, article = ''): Said {
  const { id, feedId, title } = entry
  const brief = entry.summary ?? entry.content ?? ''
  const text = article || plainText((entry.content ?? brief).slice(0, LONGEST_COMPARED))
  return { id, feedId, title, at: saidAt(entry), brief, text, comparedBy: article ? 'article' : 'entry' }
}

/** Who names a day and no time of day said it before that day was over; he is not taken for the first because of midnight. */
export function saidAt({ publishedAt, seenAt, dateOnly }: Entry): Instant {
  if (publishedAt === undefined) return seenAt
  return Math.min(seenAt, dateOnly ? publishedAt + DAY - 1 : publishedAt)
}
