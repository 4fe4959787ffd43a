/**
 * The vocabularies that a store has (vocabulary.ts), by number. Words are those of the feeds that one reads, in their languages; the first
 * vocabulary knows little more than marks of the web. How a store comes by better ones stands in entry-room.ts.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type Database from 'better-sqlite3'
import type { Said, Vocabularies } from './entry-texts.ts'
import { createWordList, type Learner, MOST_TOKENS, type WordList } from './vocabulary.ts'

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
export function storedVocabularies(
  prepared: <Row>(sql: string) => Database.Statement<unknown[], Row>,
): Vocabularies & { forget(): void } {
  const known = new Map<number, WordList>()
  let newest: { id: number; vocabulary: WordList } | undefined

  function get(id: number): WordList | undefined {
    const before = known.get(id)
    if (before) return before
    const row = prepared<{ tokens: Buffer }>('SELECT tokens FROM vocabularies WHERE id = ?').get([id])
    if (!row) return undefined
    const vocabulary = createWordList(unpackTokens(row.tokens))
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
