/**
 * A ledger and a library as one store. On their way in, long texts of entries and articles, and pages, are kept in the library
 * first; the ledger gets their names, and decides as ever. On their way out names become texts again, all of an answer in one
 * question to the library. Whoever uses the store sees no difference but one: where the library has lost a text, the entry or
 * article stands there without it.
 */
import type { Entry, EntryDraft, Instant } from '../../../model/index.ts'
import type { ArticleRecord, Library, LibraryText, News, Store, TextName, TextOwner } from '../../../ports/index.ts'
import { isMarked, marked, nameIn, nameInBytes, saidIn, shelved } from './names.ts'

export interface SplitOptions {
  /** Texts of fewer characters stay in the ledger: a name is no shorter. */
  shortest?: number
}

const SHORTEST = 200
/** How many entries or articles of a walk are looked up in the library together. */
const TOGETHER = 100

export function withLibrary(ledger: Store, library: Library, { shortest = SHORTEST }: SplitOptions = {}): Store {
  const isLong = (text: string | undefined) => text !== undefined && (text.length >= shortest || isMarked(text))

  /** The draft with names in the place of what it says; what is to be kept is added to `texts`. */
  function named(draft: EntryDraft, owner: TextOwner, at: Instant, texts: LibraryText[]): EntryDraft {
    const { summary, content } = draft
    if (!isLong(summary) && !isLong(content)) return draft
    const text = shelved(owner, at, JSON.stringify({ summary, content }))
    texts.push(text)
    const { summary: _, ...rest } = draft
    return { ...rest, content: marked(text.name) }
  }

  function newsNamed<T extends News>(
    news: T,
    ownerOf: (key: string) => TextOwner,
    at: Instant,
    texts: LibraryText[],
  ): T {
    const each = (draft: EntryDraft) => named(draft, ownerOf(draft.key), at, texts)
    return { ...news, fresh: news.fresh.map(each), changed: news.changed.map(each) }
  }

  function articleNamed(record: ArticleRecord, texts: LibraryText[]): ArticleRecord {
    const { id, at, result } = record
    if (result.kind !== 'read') return record
    const owner: TextOwner = { kind: 'article', articleId: id }
    const { content, page } = result
    const move = (said: string | Uint8Array) => {
      const text = shelved(owner, at, said)
      texts.push(text)
      return marked(text.name)
    }
    const moved = isLong(content.text + content.html) ? { text: move(JSON.stringify(content)), html: '' } : content
    const isLongPage = page && (page.body.length >= shortest || nameInBytes(page.body) !== undefined)
    const pageMoved = isLongPage ? { page: { ...page, body: Buffer.from(move(page.body)) } } : {}
    return { ...record, result: { ...result, content: moved, ...pageMoved } }
  }

  /** What the library has under the names in these texts. */
  async function lookedUp(texts: readonly (string | undefined)[]): Promise<Map<string, Buffer>> {
    const names = [...new Set(texts.map(nameIn).filter((name): name is TextName => name !== undefined))]
    if (names.length === 0) return new Map()
    const found = await library.textsOf(names)
    return new Map(names.flatMap((name, i) => (found[i] ? [[marked(name), saidIn(found[i])] as const] : [])))
  }

  async function entriesTold<T extends Entry | undefined>(entries: readonly T[]): Promise<T[]> {
    const found = await lookedUp(entries.map((entry) => entry?.content))
    return entries.map((entry) => (entry && isMarked(entry.content) ? (told(entry, found) as T) : entry))
  }

  async function textsTold<T extends { text?: string; entry?: Entry }>(changes: readonly T[]): Promise<T[]> {
    const entries = await entriesTold(changes.map(({ entry }) => entry))
    const found = await lookedUp(changes.map(({ text }) => text))
    return changes.map((change, i) => {
      const { text } = change
      const whole = { ...change, ...(entries[i] && { entry: entries[i] }) }
      if (!isMarked(text)) return whole
      const own = found.get(text!)
      return { ...whole, text: own ? (JSON.parse(own.toString()) as { text: string }).text : '' }
    })
  }

  return {
    ...ledger,

    async recordPolls(records) {
      const texts: LibraryText[] = []
      const stubs = records.map((record) => {
        const { feedId, at } = record.poll
        return newsNamed(record, (key) => ({ kind: 'entry', feedId, key }), at, texts)
      })
      await library.keep(texts)
      return await ledger.recordPolls(stubs)
    },

    async recordNews(records) {
      const texts: LibraryText[] = []
      const stubs = records.map((record) => {
        const { feedId, at } = record
        return newsNamed(record, (key) => ({ kind: 'entry', feedId, key }), at, texts)
      })
      await library.keep(texts)
      await ledger.recordNews(stubs)
    },

    async sourceFound(sourceId, feed, record, others) {
      const texts: LibraryText[] = []
      const stub = newsNamed(record, (key) => ({ kind: 'found', sourceId, key }), record.poll.at, texts)
      await library.keep(texts)
      return await ledger.sourceFound(sourceId, feed, stub, others)
    },

    async recordArticles(records) {
      const texts: LibraryText[] = []
      const stubs = records.map((record) => articleNamed(record, texts))
      await library.keep(texts)
      return await ledger.recordArticles(stubs)
    },

    entriesById: async (ids) => await entriesTold(await ledger.entriesById(ids)),
    entries: async (query) => await entriesTold(await ledger.entries(query)),

    async listEntries(query) {
      const { entries, ...rest } = await ledger.listEntries(query)
      return { entries: await entriesTold(entries), ...rest }
    },

    async *everyEntry(filter) {
      for await (const entries of together(ledger.everyEntry(filter))) yield* await entriesTold(entries)
    },

    async entriesOfArticles(ids) {
      const lists = await ledger.entriesOfArticles(ids)
      const all = await entriesTold(lists.flat())
      return lists.map((list) => all.splice(0, list.length))
    },

    async unindexed(limit) {
      const { marks, changes } = await ledger.unindexed(limit)
      return { marks, changes: await textsTold(changes) }
    },

    async unplaced(limit) {
      const { marks, changes } = await ledger.unplaced(limit)
      return { marks, changes: await textsTold(changes) }
    },

    async articleTexts(ids) {
      const texts = await ledger.articleTexts(ids)
      const found = await lookedUp(texts.map((text) => text?.text))
      return texts.map((text) => (text && isMarked(text.text) ? articleTold(found.get(text.text)) : text))
    },

    async rawPage(id) {
      const page = await ledger.rawPage(id)
      const name = page && nameInBytes(page.body)
      if (name === undefined) return page
      const [bytes] = await library.textsOf([name])
      return bytes && { ...page!, body: saidIn(bytes) }
    },

    async *everyArticle(filter) {
      for await (const articles of together(ledger.everyArticle(filter))) {
        const found = await lookedUp(articles.map(({ text }) => text))
        for (const whole of articles) {
          if (!isMarked(whole.text)) yield whole
          else yield { ...whole, ...(articleTold(found.get(whole.text)) ?? { text: '', html: '' }) }
        }
      }
    },

    async close() {
      try {
        await ledger.close()
      } finally {
        await library.close()
      }
    },
  }
}

function told(entry: Entry, found: ReadonlyMap<string, Buffer>): Entry {
  const { content, ...rest } = entry
  const said = found.get(content!)
  return { ...rest, ...(said && (JSON.parse(said.toString()) as Pick<Entry, 'summary' | 'content'>)) }
}

function articleTold(said: Buffer | undefined): { text: string; html: string } | undefined {
  return said && (JSON.parse(said.toString()) as { text: string; html: string })
}

async function* together<T>(walk: AsyncIterable<T>): AsyncIterable<T[]> {
  let some: T[] = []
  for await (const one of walk) {
    if (some.push(one) < TOGETHER) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
