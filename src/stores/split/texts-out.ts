/** On their way out: names become texts again, all of an answer in one question to the library. */
import type { ArticleText, Entry, EntryVersion, HashedBefore } from '../../model/index.ts'
import { type Library, LONGEST_BODY, type TextName } from '../../ports/index.ts'
import { mapInSlices } from '../../runtime/index.ts'
import { isMarked, marked, nameIn, saidIn } from './names.ts'

/** How many entries or articles of a walk are looked up in the library together at most; the fewer, the longer those before them were. */
const TOGETHER = 100
/** At first; and of those who wait in a line, so many are looked up together, until what they say has so many characters: some milliseconds of work. */
const FEW = 8
const MOST_CHARACTERS = 1_000_000

export interface TextsOut {
  /** By the marks that stand in their place; those that the library has lost are not among them. */
  lookedUp(texts: readonly (string | undefined)[]): Promise<Map<string, Buffer>>
  /** With what they say in the place of its names; without it where it is lost. */
  entries<T extends Entry | undefined>(entries: readonly T[]): Promise<T[]>
  versions(versions: readonly EntryVersion[]): Promise<EntryVersion[]>
  /** The first of them: as many as say no more than is read at once, and one at least. */
  waiting<T extends { text?: string; entry?: Entry }>(changes: readonly T[]): Promise<T[]>
}

export function textsOut(library: Pick<Library, 'textsOf'>): TextsOut {
  async function lookedUp(named: readonly (string | undefined)[]): Promise<Map<string, Buffer>> {
    const names = [...new Set(named.map(nameIn).filter((name): name is TextName => name !== undefined))]
    if (names.length === 0) return new Map()
    const found = await library.textsOf(names)
    const said = new Map<string, Buffer>()
    const texts = await mapInSlices([...found], (body) => body && saidIn(body))
    for (const [i, name] of names.entries()) if (texts[i]) said.set(marked(name), texts[i])
    return said
  }

  async function entries<T extends Entry | undefined>(named: readonly T[]): Promise<T[]> {
    const found = await lookedUp(named.flatMap((entry) => [entry?.content, entry?.summary]))
    return named.map((entry) =>
      entry && (isMarked(entry.content) || isMarked(entry.summary)) ? (told(entry, found) as T) : entry,
    )
  }

  async function toldTogether<T extends { text?: string; entry?: Entry }>(changes: readonly T[]): Promise<T[]> {
    const whole = await entries(changes.map(({ entry }) => entry))
    const found = await lookedUp(changes.map(({ text }) => text))
    return changes.map((change, i) => {
      const { text } = change
      const withEntry = { ...change, ...(whole[i] && { entry: whole[i] }) }
      return isMarked(text) ? { ...withEntry, text: articleTold(found.get(text!))?.text ?? '' } : withEntry
    })
  }

  return {
    lookedUp,
    entries,

    async versions(versions) {
      const found = await lookedUp(versions.map(({ body }) => body))
      return versions.map((version) => {
        const { body, ...rest } = version
        if (!isMarked(body)) return version
        const said = found.get(body!)?.toString().slice(0, LONGEST_BODY).toWellFormed()
        return said === undefined ? rest : { ...rest, body: said }
      })
    },

    async waiting(changes) {
      const told: (typeof changes)[number][] = []
      let characters = 0
      for (let from = 0; from < changes.length; from += FEW) {
        for (const change of await toldTogether(changes.slice(from, from + FEW))) {
          if (characters > MOST_CHARACTERS) return told
          told.push(change)
          characters += lengthOf(change)
        }
      }
      return told
    },
  }
}

function lengthOf({ text, entry }: { text?: string; entry?: Entry }): number {
  return (text?.length ?? 0) + (entry ? charactersIn(entry) : 0)
}

export function charactersIn({ content = '', summary = '' }: Pick<Entry, 'content' | 'summary'>): number {
  return content.length + summary.length
}

function told(entry: Entry, found: ReadonlyMap<string, Buffer>): Entry {
  const { content, summary, textHash: _, ...rest } = entry as Entry & HashedBefore
  const [own, short] = [wordsOf(content, found), wordsOf(summary, found)]
  return { ...rest, ...(short !== undefined && { summary: short }), ...(own !== undefined && { content: own }) }
}

function wordsOf(text: string | undefined, found: ReadonlyMap<string, Buffer>): string | undefined {
  return isMarked(text) ? found.get(text!)?.toString() : text
}

export function articleTold(said: Buffer | undefined): ArticleText | undefined {
  return said && (JSON.parse(said.toString()) as ArticleText)
}

/** A long walk, whose texts are looked up some at a time: about as many as are read at once. */
export async function* inLots<T>(
  walk: AsyncIterable<T>,
  tell: (some: T[]) => Promise<T[]>,
  charactersOf: (one: T) => number,
): AsyncIterable<T> {
  let size = FEW
  let some: T[] = []
  for await (const one of walk) {
    if (some.push(one) < size) continue
    const told = await tell(some)
    yield* told
    const characters = told.reduce((sum, one) => sum + charactersOf(one), 1)
    size = Math.max(1, Math.min(TOGETHER, 2 * size, Math.floor((MOST_CHARACTERS * told.length) / characters)))
    some = []
  }
  if (some.length > 0) yield* await tell(some)
}

/** With all that they say. */
export function entriesTold<T extends Entry | undefined>(
  library: Pick<Library, 'textsOf'>,
  cards: readonly T[],
): Promise<T[]> {
  return textsOut(library).entries(cards)
}
