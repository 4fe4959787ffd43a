/**
 * The vocabularies that a store has (vocabulary.ts), and how it comes by better ones. The first knows little more than marks of the
 * web. Once there is eight times as much to learn from, another is learnt from a sample of all entries, and in quiet moments, in
 * bites, what stands there is written by it; when nothing is left of the older ones, they go. Eight times, so that in all the
 * life of a store nothing is written anew more than a few times. Words are those of the feeds that one reads, in their languages.
 */
import { promisify } from 'node:util'
import { zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { EntryId } from '../../../model/index.ts'
import type { EntryTexts, Said, SaidColumns, Vocabularies } from './entry-texts.ts'
import { othersTurn, type SqliteSession } from './session.ts'
import { createLearner, createVocabulary, type Learner, MOST_TOKENS, type Vocabulary } from './vocabulary.ts'

interface VocabularyRow {
  id: number
  /** Entries that there were when it was learnt. */
  entries: number
  /** The last entry that was looked at to be written by it; NULL once all were. */
  written_to: EntryId | null
}

/** What is there before anything was said: signs that most feeds use. The store keeps it, so it may change here. */
const SIGNS = (
  '  - / . , ; : :// & = ? ? # " \' ( ) ...  http https www com org net html php id p feed rss news blog ' +
  'category tag 2024 2025 2026 2027 the of and to in a is that for on with as was by at from are it has be this an not ' +
  'der die das und von zu mit den im ist auf für ein eine les des et en du pour que el los las por con una un ' +
  '<p> </p> <br> <br/> <br_/> <b> </b> <i> </i> <em> </em> <strong> </strong> </a> <li> </li> <ul> </ul> <div> </div> ' +
  '&amp; &lt; &gt; &quot; &nbsp; &#39; &#8217; &#8230; … – “ ” ’ « » {" ":[" "," "]} tags'
)
  .split(' ')
  .map((sign) => sign.replace('_', ' '))

/** The tokens of a vocabulary that was learnt from these texts, with what any store begins with. */
export function tokensOf(learner: Learner): string[] {
  return [...new Set([...learner.tokens(), ' ', ', ', '. ', ...SIGNS])]
    .filter((token) => token !== '')
    .slice(0, MOST_TOKENS)
}

export function packTokens(tokens: readonly string[]): Buffer {
  return zstdCompressSync(Buffer.from(JSON.stringify(tokens)))
}

export function unpackTokens(packed: Buffer): string[] {
  return JSON.parse(zstdDecompressSync(packed).toString())
}

/** What a vocabulary is learnt from, of an entry: what is written by words. */
export function learnFrom({ key, url, title, author, summary, content, extras }: Said, learner: Learner): void {
  for (const text of [title, url, key === url ? undefined : key, author, summary, content, extras])
    if (text !== undefined) learner.add(text)
}

/** Statements are prepared when they are needed: a store of an older shape has no such table. */
export function storedVocabularies({ prepared }: Pick<SqliteSession, 'prepared'>): Vocabularies & { forget(): void } {
  const known = new Map<number, Vocabulary>()
  let newest: { id: number; vocabulary: Vocabulary } | undefined

  function get(id: number): Vocabulary | undefined {
    const before = known.get(id)
    if (before) return before
    const row = prepared<{ tokens: Buffer }>('SELECT tokens FROM vocabularies WHERE id = ?').get([id])
    if (!row) return undefined
    const vocabulary = createVocabulary(unpackTokens(row.tokens))
    known.set(id, vocabulary)
    return vocabulary
  }

  return {
    get,
    newest() {
      if (newest) return newest
      const { id } = prepared<{ id: number }>('SELECT max(id) AS id FROM vocabularies').get([])!
      newest = { id, vocabulary: get(id)! }
      return newest
    },
    forget() {
      newest = undefined
      for (const id of [...known.keys()].sort((a, b) => b - a).slice(2)) known.delete(id)
    },
  }
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
