/** Hydrates records that are read: replaces references by their texts, with one request to the content store per answer. */
import type { ArticleText, Entry, EntryVersion, HashedBefore } from '../../model/index.ts'
import { type ContentAddress, type ContentStore, MAX_BODY_LENGTH } from '../../ports/index.ts'
import { mapInSlices } from '../../runtime/index.ts'
import { contentAddressIn, contentReference, isContentReference, unpackContent } from './content-addresses.ts'

/** Most entries or articles of a scan that are looked up together. Batches are smaller where texts are long. */
const MAX_BATCH = 100
/** Size of the first batch of a scan, and of each batch of pending changes. */
const INITIAL_BATCH = 8
/** A list of pending changes ends with the text that exceeds this: some milliseconds of work. */
const MAX_CHARACTERS = 1_000_000

export interface TextHydration {
  /** Texts by their references. Texts that the content store does not have are absent. */
  lookUp(texts: readonly (string | undefined)[]): Promise<Map<string, Buffer>>
  /** Replaces references by texts. Leaves out texts that the content store does not have. */
  hydrateEntries<T extends Entry | undefined>(entries: readonly T[]): Promise<T[]>
  hydrateVersions(versions: readonly EntryVersion[]): Promise<EntryVersion[]>
  /** The first changes, hydrated: at least one, and no more than fit into one read. */
  hydrateFirst<T extends { text?: string; entry?: Entry }>(changes: readonly T[]): Promise<T[]>
}

export function createTextHydration(contentStore: Pick<ContentStore, 'getTexts'>): TextHydration {
  async function lookUp(references: readonly (string | undefined)[]): Promise<Map<string, Buffer>> {
    const addresses = [
      ...new Set(
        references.map(contentAddressIn).filter((address): address is ContentAddress => address !== undefined),
      ),
    ]
    if (addresses.length === 0) return new Map()
    const found = await contentStore.getTexts(addresses)
    const textsByReference = new Map<string, Buffer>()
    const texts = await mapInSlices([...found], (body) => body && unpackContent(body))
    for (const [i, address] of addresses.entries())
      if (texts[i]) textsByReference.set(contentReference(address), texts[i])
    return textsByReference
  }

  async function hydrateEntries<T extends Entry | undefined>(references: readonly T[]): Promise<T[]> {
    const found = await lookUp(references.flatMap((entry) => [entry?.content, entry?.summary]))
    return references.map((entry) =>
      entry && (isContentReference(entry.content) || isContentReference(entry.summary))
        ? (hydrateEntry(entry, found) as T)
        : entry,
    )
  }

  async function hydrateChanges<T extends { text?: string; entry?: Entry }>(changes: readonly T[]): Promise<T[]> {
    const hydrated = await hydrateEntries(changes.map(({ entry }) => entry))
    const found = await lookUp(changes.map(({ text }) => text))
    return changes.map((change, i) => {
      const { text } = change
      const withEntry = { ...change, ...(hydrated[i] && { entry: hydrated[i] }) }
      return isContentReference(text)
        ? { ...withEntry, text: parseArticleText(found.get(text!))?.text ?? '' }
        : withEntry
    })
  }

  return {
    lookUp,
    hydrateEntries,

    async hydrateVersions(versions) {
      const found = await lookUp(versions.map(({ body }) => body))
      return versions.map((version) => {
        const { body, ...rest } = version
        if (!isContentReference(body)) return version
        const hydratedBody = found.get(body!)?.toString().slice(0, MAX_BODY_LENGTH).toWellFormed()
        return hydratedBody === undefined ? rest : { ...rest, body: hydratedBody }
      })
    },

    async hydrateFirst(changes) {
      const hydrated: (typeof changes)[number][] = []
      let characters = 0
      for (let from = 0; from < changes.length; from += INITIAL_BATCH) {
        for (const change of await hydrateChanges(changes.slice(from, from + INITIAL_BATCH))) {
          if (characters > MAX_CHARACTERS) return hydrated
          hydrated.push(change)
          characters += changeLength(change)
        }
      }
      return hydrated
    },
  }
}

function changeLength({ text, entry }: { text?: string; entry?: Entry }): number {
  return (text?.length ?? 0) + (entry ? countCharacters(entry) : 0)
}

export function countCharacters({ content = '', summary = '' }: Pick<Entry, 'content' | 'summary'>): number {
  return content.length + summary.length
}

function hydrateEntry(entry: Entry, found: ReadonlyMap<string, Buffer>): Entry {
  const { content, summary, textHash: _, ...rest } = entry as Entry & HashedBefore
  const [hydratedContent, hydratedSummary] = [hydrateText(content, found), hydrateText(summary, found)]
  return {
    ...rest,
    ...(hydratedSummary !== undefined && { summary: hydratedSummary }),
    ...(hydratedContent !== undefined && { content: hydratedContent }),
  }
}

function hydrateText(text: string | undefined, found: ReadonlyMap<string, Buffer>): string | undefined {
  return isContentReference(text) ? found.get(text!)?.toString() : text
}

export function parseArticleText(content: Buffer | undefined): ArticleText | undefined {
  return content && (JSON.parse(content.toString()) as ArticleText)
}

/** Hydrates a long scan in batches whose size adapts to the length of the texts. */
export async function* hydrateInBatches<T>(
  scan: AsyncIterable<T>,
  hydrate: (batch: T[]) => Promise<T[]>,
  charactersOf: (item: T) => number,
): AsyncIterable<T> {
  let size = INITIAL_BATCH
  let batch: T[] = []
  for await (const item of scan) {
    if (batch.push(item) < size) continue
    const hydrated = await hydrate(batch)
    yield* hydrated
    const characters = hydrated.reduce((sum, item) => sum + charactersOf(item), 1)
    size = Math.max(1, Math.min(MAX_BATCH, 2 * size, Math.floor((MAX_CHARACTERS * hydrated.length) / characters)))
    batch = []
  }
  if (batch.length > 0) yield* await hydrate(batch)
}

/** Replaces the references in entry records by texts. */
export function hydrateEntryRecords<T extends Entry | undefined>(
  contentStore: Pick<ContentStore, 'getTexts'>,
  records: readonly T[],
): Promise<T[]> {
  return createTextHydration(contentStore).hydrateEntries(records)
}
