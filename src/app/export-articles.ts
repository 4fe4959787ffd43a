/** Exports articles one at a time, so that memory use does not depend on the size of the store. */
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../runtime/make-folder.ts'
import { InputError } from './addresses.ts'
import { type ArticleFormat, fileNameOf, HTML, htmlHead, indexLine } from './article-formats.ts'
import type { StoredReadableArticle } from './readable-article.ts'

/** Formats all articles as one document. */
export async function* formatDocument(
  articles: AsyncIterable<StoredReadableArticle>,
  format: ArticleFormat,
): AsyncIterable<string> {
  const begin = format.begin()
  if (begin) yield begin
  for await (const readable of articles) yield format.part(readable)
  if (format.end) yield format.end.trimEnd()
}

/** Writes one file per article and creates the folder if needed. Returns the number of files. */
export async function writeArticleFolder(
  articles: AsyncIterable<StoredReadableArticle>,
  format: ArticleFormat,
  folder: string,
  onProgress: (done: number) => void,
): Promise<number> {
  let done = 0
  try {
    makeFolder(folder)
    const index = format === HTML ? await open(join(folder, 'index.html'), 'w') : undefined
    await index?.appendFile(`${htmlHead('Articles', undefined)}\n<ul>\n`)
    for await (const readable of articles) {
      const name = fileNameOf(readable, format)
      await writeFile(join(folder, name), format.document(readable))
      await index?.appendFile(`${indexLine(readable, name)}\n`)
      onProgress(++done)
    }
    await index?.appendFile('</ul>\n</html>\n')
    await index?.close()
    return done
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) throw notWritableError(folder, cause)
    throw cause
  }
}

export function notWritableError(target: string, cause: unknown): InputError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new InputError(
    `${target} could not be written: ${reason}`,
    'check that the folder exists, is writable, and the disk is not full',
  )
}
