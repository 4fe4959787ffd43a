/**
 * How a store comes by better vocabularies (vocabularies.ts). Once there is eight times as much to learn from, another is learnt from a
 * sample of all entries, and in quiet moments, in bites, what stands there is written by it; when nothing is left of the older
 * ones, they go. Eight times, so that in all the life of a store nothing is written anew more than a few times.
 */
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { EntryId } from '../../../model/index.ts'
import type { EntryTexts, SaidColumns } from './entry-texts.ts'
import { othersTurn, type SqliteSession } from './session.ts'
import { learnFrom, tokensOf } from './vocabularies.ts'
import { createLearner, type Learner } from './vocabulary.ts'

interface VocabularyRow {
  id: number
  /** Entries that there were when it was learnt. */
  entries: number
  /** The last entry that was looked at to be written by it; NULL once all were. */
  written_to: EntryId | null
}

/** Entries from which one is learnt at least; how many are sampled, in bites of how many; and how many are written anew in a bite. */
const LEAST = 500
const GROWN = 8
const SAMPLE = 3000
const SAMPLED = 20
const WRITTEN = 60

interface Lesson {
  learner: Learner
  /** The entry that was looked at last. */
  from: number
}

const pack = promisify<string, Buffer>(zstdCompress)

/** Does a small piece of it; true if there is more to do. */
export function createRoomKeeping(session: SqliteSession): () => Promise<boolean> {
  const { db, counters, texts, vocabularies } = session
  const newest = db.prepare<[], VocabularyRow>(
    'SELECT id, entries, written_to FROM vocabularies ORDER BY id DESC LIMIT 1',
  )
  const keep = db.prepare<[number, number, Buffer]>(
    'INSERT INTO vocabularies (id, entries, written_to, tokens) VALUES (?, ?, 0, ?)',
  )
  const writtenTo = db.prepare<[EntryId | null, number]>('UPDATE vocabularies SET written_to = ? WHERE id = ?')
  const dropOlder = db.prepare<[number]>('DELETE FROM vocabularies WHERE id < ?')
  const lastId = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM entries').pluck()
  const nextAfter = db.prepare<[number, number], SaidColumns & { id: EntryId }>(
    'SELECT id, said, long FROM entries WHERE id > ? ORDER BY id LIMIT ?',
  )
  const write = db.prepare<[Buffer, string | null, EntryId]>('UPDATE entries SET said = ?, long = ? WHERE id = ?')
  let lesson: Lesson | undefined

  /** Another few are looked at; true once all were that are to be. */
  function sample(so: Lesson): boolean {
    const last = lastId.get()!
    const step = Math.max(1, Math.floor(last / SAMPLE))
    const until = so.from + SAMPLED * step
    for (; so.from < until && so.from < last; so.from += step)
      for (const one of nextAfter.all(so.from, 1)) learnFrom(texts.said(one), so.learner)
    return so.from >= last
  }

  async function learn(row: VocabularyRow): Promise<boolean> {
    const current: Lesson = lesson ?? { learner: createLearner(), from: 0 }
    lesson = current
    const isOver = await session.read(() => sample(current))
    await othersTurn()
    if (!isOver) return true
    const tokens = JSON.stringify(tokensOf(current.learner))
    const packed = await pack(tokens)
    await session.writeBite(() => {
      keep.run(row.id + 1, counters.all().entries, packed)
      vocabularies.forget()
    })
    lesson = undefined
    return true
  }

  function writeAnew({ id: vocabulary, written_to }: VocabularyRow): boolean {
    const rows = nextAfter.all(written_to!, WRITTEN)
    for (const row of rows) writeOne(row, texts)
    const isOver = rows.length < WRITTEN
    writtenTo.run(isOver ? null : rows.at(-1)!.id, vocabulary)
    if (isOver) dropOlder.run(vocabulary)
    return !isOver
  }

  function writeOne(row: SaidColumns & { id: EntryId }, { said, pack }: EntryTexts): void {
    const { said: bytes, long } = pack(said(row))
    if (!bytes.equals(row.said)) write.run(bytes, long, row.id)
  }

  return () => {
    const row = newest.get()!
    if (row.written_to !== null) return session.writeBite(() => writeAnew(row))
    const { entries } = counters.all()
    if (entries < Math.max(LEAST, GROWN * row.entries)) return Promise.resolve(false)
    return learn(row)
  }
}
