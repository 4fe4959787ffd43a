/**
 * A ledger and a library as one store. On their way in, long texts of entries and articles, and pages, are kept in the library
 * first; the ledger gets their names, and decides as ever. On their way out names become texts again. Whoever uses the store sees
 * no difference but one: where the library has lost a text, the entry or article stands there without it. The library's stacks follow.
 */
import type { Instant } from '../../model/index.ts'
import type { Library, Store, TextOwner } from '../../ports/index.ts'
import { isMarked, nameInBytes, SHORTEST, saidIn } from './names.ts'
import { followedByStacks } from './stacks.ts'
import { textsIn } from './texts-in.ts'
import { articleTold, charactersIn, inLots, textsOut } from './texts-out.ts'

export interface SplitOptions {
  now: () => Instant
  /** Texts of fewer characters stay in the ledger: a name is no shorter. */
  shortest?: number
}

export function withLibrary(ledger: Store, library: Library, { now, shortest = SHORTEST }: SplitOptions): Store {
  const out = textsOut(library)
  const { fileCards, ...followed } = followedByStacks(ledger, library, now)

  return {
    ...ledger,
    ...followed,

    async recordPolls(records) {
      const moved = textsIn(shortest)
      const stubs = records.map((record) => moved.news(record, entryOf(record.poll.feedId), record.poll.at))
      await library.keep(moved.texts)
      return await ledger.recordPolls(stubs)
    },

    async recordNews(records) {
      const moved = textsIn(shortest)
      const stubs = records.map((record) => moved.news(record, entryOf(record.feedId), record.at))
      await library.keep(moved.texts)
      await ledger.recordNews(stubs)
    },

    async sourceFound(sourceId, feed, record, others) {
      const moved = textsIn(shortest)
      const stub = moved.news(record, (key) => ({ kind: 'found', sourceId, key }), record.poll.at)
      await library.keep(moved.texts)
      return await ledger.sourceFound(sourceId, feed, stub, others)
    },

    async recordArticles(records) {
      const moved = textsIn(shortest)
      const stubs = records.map(moved.article)
      await library.keep(moved.texts)
      return await ledger.recordArticles(stubs)
    },

    entriesById: async (ids) => await out.entries(await ledger.entriesById(ids)),
    entries: async (query) => await out.entries(await ledger.entries(query)),

    async listEntries(query) {
      const { entries, ...rest } = await ledger.listEntries(query)
      return { entries: await out.entries(entries), ...rest }
    },

    async entriesFor(personId, query) {
      const { entries, ...rest } = await ledger.entriesFor(personId, query)
      return { entries: await out.entries(entries), ...rest }
    },

    everyEntry: (filter) => inLots(ledger.everyEntry(filter), out.entries, charactersIn),

    async entriesOfArticles(ids) {
      const lists = await ledger.entriesOfArticles(ids)
      const all = await out.entries(lists.flat())
      return lists.map((list) => all.splice(0, list.length))
    },

    versions: async (id) => await out.versions(await ledger.versions(id)),

    async unindexed(limit) {
      const { marks, changes } = await ledger.unindexed(limit)
      const told = await out.waiting(changes)
      await fileCards(changes.slice(0, told.length))
      return { marks: marks.slice(0, told.length), changes: told }
    },

    async unplaced(limit) {
      const { marks, changes } = await ledger.unplaced(limit)
      const told = await out.waiting(changes)
      return { marks: marks.slice(0, told.length), changes: told }
    },

    async articleTexts(ids) {
      const texts = await ledger.articleTexts(ids)
      const found = await out.lookedUp(texts.map((text) => text?.text))
      return texts.map((text) => (text && isMarked(text.text) ? articleTold(found.get(text.text)) : text))
    },

    async rawPage(id) {
      const page = await ledger.rawPage(id)
      const name = page && nameInBytes(page.body)
      if (name === undefined) return page
      const [bytes] = await library.textsOf([name])
      return bytes && { ...page!, body: saidIn(bytes) }
    },

    everyArticle: (filter) =>
      inLots(
        ledger.everyArticle(filter),
        async (articles) => {
          const found = await out.lookedUp(articles.map(({ text }) => text))
          return articles.map((whole) => {
            if (!isMarked(whole.text)) return whole
            return { ...whole, ...(articleTold(found.get(whole.text)) ?? { text: '', html: '' }) }
          })
        },
        ({ text, html = '' }) => text.length + html.length,
      ),

    async close() {
      try {
        await ledger.close()
      } finally {
        await library.close()
      }
    },
  }
}

function entryOf(feedId: Extract<TextOwner, { kind: 'entry' }>['feedId']): (key: string) => TextOwner {
  return (key) => ({ kind: 'entry', feedId, key })
}
