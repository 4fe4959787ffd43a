/**
 * Combines a store and a content store into one store. Writes put long texts of entries and articles, and article pages, into the content
 * store first, and then record references in their place. Reads replace references by texts. Callers notice one difference: if the content
 * store has lost a text, the entry or article comes without it. The content records are updated along with the store (content-records.ts).
 */
import type { Instant } from '../../model/index.ts'
import type { ContentOwner, ContentStore, PendingChanges, QueuePosition, Store } from '../../ports/index.ts'
import { contentAddressInBytes, isContentReference, MIN_EXTERNAL_LENGTH, unpackContent } from './content-addresses.ts'
import { createRecordingMethods } from './content-records.ts'
import { createTextExternalizer } from './externalize-texts.ts'
import { countCharacters, createTextHydration, hydrateInBatches, parseArticleText } from './hydrate-texts.ts'

export interface ExternalContentOptions {
  now: () => Instant
  /** Shorter texts (in characters) stay in the store: a reference is not shorter. */
  minLength?: number
}

export function withContentStore(
  mainStore: Store,
  contentStore: ContentStore,
  { now, minLength = MIN_EXTERNAL_LENGTH }: ExternalContentOptions,
): Store {
  const hydration = createTextHydration(contentStore)
  const { fileEntryRecords, ...recordingMethods } = createRecordingMethods(mainStore, contentStore, now)

  return {
    ...mainStore,
    ...recordingMethods,

    async recordPolls(records) {
      const externalizer = createTextExternalizer(minLength)
      const externalized = records.map((record) =>
        externalizer.externalizeNews(record, entryOf(record.poll.feedId), record.poll.at),
      )
      await contentStore.putTexts(externalizer.texts)
      return await mainStore.recordPolls(externalized)
    },

    async recordEntries(records) {
      const externalizer = createTextExternalizer(minLength)
      const externalized = records.map((record) =>
        externalizer.externalizeNews(record, entryOf(record.feedId), record.at),
      )
      await contentStore.putTexts(externalizer.texts)
      await mainStore.recordEntries(externalized)
    },

    async recordSourceFound(sourceId, feed, record, otherFeeds) {
      const externalizer = createTextExternalizer(minLength)
      const externalized = externalizer.externalizeNews(
        record,
        (key) => ({ kind: 'found', sourceId, key }),
        record.poll.at,
      )
      await contentStore.putTexts(externalizer.texts)
      return await mainStore.recordSourceFound(sourceId, feed, externalized, otherFeeds)
    },

    async recordArticles(records) {
      const externalizer = createTextExternalizer(minLength)
      const externalized = records.map(externalizer.externalizeArticle)
      await contentStore.putTexts(externalizer.texts)
      return await mainStore.recordArticles(externalized)
    },

    entriesById: async (ids) => await hydration.hydrateEntries(await mainStore.entriesById(ids)),
    entries: async (query) => await hydration.hydrateEntries(await mainStore.entries(query)),

    async listEntries(query) {
      const { entries, ...rest } = await mainStore.listEntries(query)
      return { entries: await hydration.hydrateEntries(entries), ...rest }
    },

    async entriesFor(userId, query) {
      const { entries, ...rest } = await mainStore.entriesFor(userId, query)
      return { entries: await hydration.hydrateEntries(entries), ...rest }
    },

    everyEntry: (filter) => hydrateInBatches(mainStore.everyEntry(filter), hydration.hydrateEntries, countCharacters),

    async articleContext(ids, pageUrls) {
      const { firsts, ...rest } = await mainStore.articleContext(ids, pageUrls)
      return { ...rest, firsts: await hydration.hydrateEntries(firsts) }
    },

    async entriesOfArticles(ids) {
      const lists = await mainStore.entriesOfArticles(ids)
      const all = await hydration.hydrateEntries(lists.flat())
      return lists.map((list) => all.splice(0, list.length))
    },

    versions: async (id) => await hydration.hydrateVersions(await mainStore.versions(id)),

    async unindexed(limit) {
      const { positions, changes, hasMore } = await mainStore.unindexed(limit)
      const hydrated = await hydration.hydrateFirst(changes)
      await fileEntryRecords(changes.slice(0, hydrated.length))
      return firstOf(positions, hydrated, hasMore)
    },

    async ungrouped(limit) {
      const { positions, changes, hasMore, boilerplate } = await mainStore.ungrouped(limit)
      const hydrated = await hydration.hydrateFirst(changes)
      return { ...firstOf(positions, hydrated, hasMore), boilerplate }
    },

    async articleTexts(ids) {
      const texts = await mainStore.articleTexts(ids)
      const found = await hydration.lookUp(texts.map((text) => text?.text))
      return texts.map((text) =>
        text && isContentReference(text.text) ? parseArticleText(found.get(text.text)) : text,
      )
    },

    async rawPage(id) {
      const page = await mainStore.rawPage(id)
      const address = page && contentAddressInBytes(page.body)
      if (address === undefined) return page
      const [bytes] = await contentStore.getTexts([address])
      return bytes && { ...page!, body: unpackContent(bytes) }
    },

    everyArticle: (filter) =>
      hydrateInBatches(
        mainStore.everyArticle(filter),
        async (articles) => {
          const found = await hydration.lookUp(articles.map(({ text }) => text))
          return articles.map((article) => {
            if (!isContentReference(article.text)) return article
            return { ...article, ...(parseArticleText(found.get(article.text)) ?? { text: '', html: '' }) }
          })
        },
        ({ text, html = '' }) => text.length + html.length,
      ),

    async close() {
      try {
        await mainStore.close()
      } finally {
        await contentStore.close()
      }
    },
  }
}

function entryOf(feedId: Extract<ContentOwner, { kind: 'entry' }>['feedId']): (key: string) => ContentOwner {
  return (key) => ({ kind: 'entry', feedId, key })
}

/** Only as many changes as texts were read for. */
function firstOf<Change>(positions: QueuePosition[], changes: Change[], hasMore: boolean): PendingChanges<Change> {
  return {
    positions: positions.slice(0, changes.length),
    changes,
    hasMore: hasMore || changes.length < positions.length,
  }
}
