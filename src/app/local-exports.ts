/**
 * Exports that read the store directly and that no server offers: passwords of feeds, and original pages. With `--user` they contain only
 * what that user can read.
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
import { isEncrypted } from '../stores/encrypted/cipher.ts'
import { visibleToUser } from '../views/index.ts'
import { openForReading, type ReadOnlyStore } from './composition.ts'
import type { Config } from './config.ts'
import { notWritableError } from './export-articles.ts'
import { findUser } from './named-user.ts'
import { userAgent } from './version.ts'

async function readVisibleStore<Answer>(
  config: Config,
  work: (visible: ReadOnlyStore) => Promise<Answer>,
): Promise<Answer> {
  const { user, sharedReading } = config
  const opened = await openForReading(config)
  try {
    if (user === '') return await work(opened)
    return await work(await visibleToUser(await findUser(user, opened.users), { ...opened, sharedReading }))
  } finally {
    await opened.close()
  }
}

/** OPML of all feeds, with user names and passwords in the addresses. */
export function opmlWithPasswords(config: Config): Promise<string> {
  return readVisibleStore(config, async ({ catalogue }) => {
    const feeds = []
    for await (const { feed } of catalogue.everyFeed()) {
      const { url, credentials, title, siteUrl, folder } = feed
      if (credentials && isEncrypted(credentials.password))
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

/** Writes original pages as a WARC file. Returns the number of pages, and of articles without a stored page. */
export function exportWarc(
  config: Config,
  { feedId, since }: { feedId?: number; since?: Instant },
  file: string,
  { now, progress }: { now: () => number; progress: (done: number) => void },
): Promise<{ pages: number; without: number }> {
  const filter = { ...(since !== undefined && { since }), ...(feedId !== undefined && { feedId: feedId as FeedId }) }
  return readVisibleStore(config, async ({ catalogue, articleCatalogue }) => {
    const archive = await openWarcFile(file, { software: userAgent(config.contact), now })
    let pages = 0
    let pagesMissing = 0
    try {
      for await (const { article, entryIds } of catalogue.everyArticle(filter)) {
        const page = article.noArchive ? undefined : await articleCatalogue.rawPage(article.id)
        const [entry] = page ? await catalogue.entriesById(entryIds.slice(0, 1)) : []
        if (page) await archive.write(toExchange(article, page, entry))
        if (page) pages++
        else pagesMissing++
        progress(pages + pagesMissing)
      }
      await archive.finish()
      return { pages, without: pagesMissing }
    } catch (error) {
      await archive.discard()
      if (error instanceof ArchiveError) throw notWritableError(file, error.cause)
      throw error
    }
  })
}

/** The metadata also has what the feed says about the entry, such as its audio file. */
function toExchange(
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
