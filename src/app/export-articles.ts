/** Articles for people and data teams, one after the other, so that a store of any size fits into little memory. */
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../runtime/make-folder.ts'
import { InputError } from './addresses.ts'
import { type ArticleFormat, fileNameOf, HTML, htmlHead, indexLine } from './article-formats.ts'
import type { StoredReadableArticle } from './readable-article.ts'

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
    if (cause instanceof Error && 'code' in cause) throw notWritable(folder, cause)
    throw cause
  }
}

export function notWritable(place: string, cause: unknown): InputError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new InputError(
    `${place} could not be written: ${reason}`,
    'check that the folder exists, is writable, and the disk is not full',
  )
}
