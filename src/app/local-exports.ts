/**
 * Exports that read the store itself, and that no server gives to anybody: passwords of feeds, and pages as they were fetched. With `--user`,
 * they contain only what that user can read.
 */
import type { Exchange } from '../archive/exchange.ts'
import { ArchiveError, openWarcFile } from '../archive/warc-archive.ts'
import { writeOpml } from '../feeds/index.ts'
import {
  type Entry,
  extrasOf,
  type FeedId,
  HintedError,
  type Instant,
  type RawPage,
  type StoredArticle,
  withCredentials,
} from '../model/index.ts'
import { isSealed } from '../stores/encrypted/cipher.ts'
import { visibleToUser } from '../views/index.ts'
import type { Config } from './config.ts'
import { notWritable } from './export-articles.ts'
import { namedUser } from './named-user.ts'
import { userAgent } from './version.ts'
import { type Looking, openForReading } from './wire.ts'

async function withVisibleStore<Answer>(config: Config, work: (visible: Looking) => Promise<Answer>): Promise<Answer> {
  const { user, sharedReading } = config
  const opened = await openForReading(config)
  try {
    if (user === '') return await work(opened)
    return await work(await visibleToUser(await namedUser(user, opened.people), { ...opened, sharedReading }))
  } finally {
    await opened.close()
  }
}

/** All feeds in their folders, with user names and passwords in the addresses. */
export function opmlWithPasswords(config: Config): Promise<string> {
  return withVisibleStore(config, async ({ catalogue }) => {
    const feeds = []
    for await (const { feed } of catalogue.everyFeed()) {
      const { url, credentials, title, siteUrl, folder } = feed
      if (credentials && isSealed(credentials.password))
        throw new HintedError(
          'the passwords are encrypted, and the key file is not readable',
          'run it as the owner of the store',
        )
      const written = credentials ? withCredentials(url, credentials) : url
      feeds.push({ url: written, title, ...(siteUrl && { siteUrl }), ...(folder && { folder }) })
    }
    return writeOpml({ title: 'Feeds of Freshet', feeds })
  })
}

/** Writes pages as they were fetched, as a WARC file. Answers how many, and of how many articles no page is stored. */
export function exportWarc(
  config: Config,
  { feedId, since }: { feedId?: number; since?: Instant },
  file: string,
  { now, progress }: { now: () => number; progress: (done: number) => void },
): Promise<{ pages: number; without: number }> {
  const filter = { ...(since !== undefined && { since }), ...(feedId !== undefined && { feedId: feedId as FeedId }) }
  return withVisibleStore(config, async ({ catalogue, articleCatalogue }) => {
    const archive = await openWarcFile(file, { software: userAgent(config.contact), now })
    let pages = 0
    let without = 0
    try {
      for await (const { article, entryIds } of catalogue.everyArticle(filter)) {
        const page = article.noArchive ? undefined : await articleCatalogue.rawPage(article.id)
        const [entry] = page ? await catalogue.entriesById(entryIds.slice(0, 1)) : []
        if (page) await archive.write(exchangeOf(article, page, entry))
        if (page) pages++
        else without++
        progress(pages + without)
      }
      await archive.give()
      return { pages, without }
    } catch (error) {
      await archive.drop()
      if (error instanceof ArchiveError) throw notWritable(file, error.cause)
      throw error
    }
  })
}

/** Beside the page's facts, what its feed says comes with it: a player of archives then knows of the recording. */
function exchangeOf(
  { id, url, facts }: StoredArticle,
  { url: pageUrl, at, status, headers, body }: RawPage,
  entry: Entry | undefined,
): Exchange {
  return {
    url: pageUrl,
    at,
    ...(url !== pageUrl && { via: url }),
    request: { headers: [], isGuess: true },
    response: { status, headers: Object.entries(headers), body, isDecoded: true },
    about: { article: id, ...facts, ...(entry && extrasOf(entry)) },
  }
}
