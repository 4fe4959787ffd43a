/** Articles for people and data teams, one after the other, so that a store of any size fits into little memory. */
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveError, type Exchange, makeFolder, openWarcFile } from '../drivers/index.ts'
import { type Entry, extrasOf, type GroupLevel, type RawPage, type StoredArticle } from '../model/index.ts'
import type { Catalogue, Roles } from '../ports/index.ts'
import { InputError } from './addresses.ts'
import { type ArticleFormat, fileNameOf, HTML, htmlHead, indexLine } from './article-formats.ts'
import { everyReadableArticle, everyReadableEntry, type StoredReadableArticle } from './readable-article.ts'
import { userAgent } from './version.ts'

type Catalogues = Pick<Roles, 'catalogue' | 'articleCatalogue'>
type Filter = Parameters<Catalogue['everyArticle']>[0]

/** What is written for people: the articles that were fetched, or every entry with the best text that there is of it. */
export function readables(
  what: 'articles' | 'entries',
  from: Catalogues,
  filter: Filter & { unique?: GroupLevel },
): AsyncIterable<StoredReadableArticle> {
  return what === 'entries' ? everyReadableEntry(from, filter) : everyReadableArticle(from.catalogue, filter)
}

/** All of them as one document. */
export async function* oneDocument(
  all: AsyncIterable<StoredReadableArticle>,
  form: ArticleFormat,
): AsyncIterable<string> {
  const begin = form.begin()
  if (begin) yield begin
  for await (const readable of all) yield form.part(readable)
  if (form.end) yield form.end.trimEnd()
}

/** A file for each, in a folder that is made when it is not there. Answers how many. */
export async function writeFolder(
  all: AsyncIterable<StoredReadableArticle>,
  form: ArticleFormat,
  folder: string,
  tell: (done: number) => void,
): Promise<number> {
  let done = 0
  try {
    makeFolder(folder)
    const index = form === HTML ? await open(join(folder, 'index.html'), 'w') : undefined
    await index?.appendFile(`${htmlHead('Articles', undefined)}\n<ul>\n`)
    for await (const readable of all) {
      const name = fileNameOf(readable, form)
      await writeFile(join(folder, name), form.document(readable))
      await index?.appendFile(`${indexLine(readable, name)}\n`)
      tell(++done)
    }
    await index?.appendFile('</ul>\n</html>\n')
    await index?.close()
    return done
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) throw unwritten(folder, cause)
    throw cause
  }
}

/** Pages as they came, while they are kept, as a WARC file. Answers how many, and how many are kept no longer. */
export async function writeWarc(
  { catalogue, articleCatalogue }: Catalogues,
  filter: Filter,
  file: string,
  { contact, now, tell }: { contact: string; now: () => number; tell: (done: number) => void },
): Promise<{ pages: number; without: number }> {
  const archive = await openWarcFile(file, { software: userAgent(contact), now })
  let pages = 0
  let without = 0
  try {
    for await (const { article, entryIds } of catalogue.everyArticle(filter)) {
      const page = article.noArchive ? undefined : await articleCatalogue.rawPage(article.id)
      const [entry] = page ? await catalogue.entriesById(entryIds.slice(0, 1)) : []
      if (page) await archive.write(exchangeOf(article, page, entry))
      if (page) pages++
      else without++
      tell(pages + without)
    }
    await archive.give()
    return { pages, without }
  } catch (error) {
    await archive.drop()
    if (error instanceof ArchiveError) throw unwritten(file, error.cause)
    throw error
  }
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

function unwritten(place: string, cause: unknown): InputError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new InputError(`${place} could not be written: ${reason}`, 'is the folder there, writable, and not full?')
}
