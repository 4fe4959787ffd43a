/** Reads an uploaded file of another reader: decompressed, decoded and parsed within limits. A ZIP archive counts as one file. */
import { decodeText, mergeReaderData, parseReaderFileInSteps, type ReaderData } from '../feeds/index.ts'
import { inSlices, isZip, unzip } from '../runtime/index.ts'
import { Problem } from './problem.ts'

const MAX_ZIPPED_FILES = 2000
const MAX_UNZIPPED_BYTES = 50_000_000
const SMALLER = 'split it, or import it with "freshet import" on the command line'

export async function readReaderFile(bytes: Uint8Array): Promise<ReaderData> {
  if (!isZip(bytes)) return parseFile(bytes, 'the file')
  const unzipped = await unzip(bytes, { files: MAX_ZIPPED_FILES, bytes: MAX_UNZIPPED_BYTES })
  if (unzipped.kind === 'broken')
    throw new Problem(400, 'the ZIP archive cannot be read', 'unzip it, and import its files one by one')
  if (unzipped.kind === 'too-large') throw new Problem(413, 'the ZIP archive has too many files or bytes', SMALLER)
  const parts: ReaderData[] = []
  for (const { name, bytes: content } of unzipped.files) parts.push(await parseFile(content, `${name} in the archive`))
  return mergeReaderData(parts)
}

async function parseFile(bytes: Uint8Array, name: string): Promise<ReaderData> {
  if (isSqlite(bytes))
    throw new Problem(400, `${name} is a database`, 'import it with "freshet import" on the command line')
  const parsed = await inSlices(parseReaderFileInSteps(decodeText(bytes).text))
  if (parsed.kind === 'too-many') throw new Problem(413, `${name} lists too many feeds or entries`, SMALLER)
  if (parsed.kind === 'unknown')
    throw new Problem(
      400,
      `${name} cannot be imported: ${parsed.reason}`,
      'see docs/migration.md for the files of each reader',
    )
  return parsed.data
}

const SQLITE = 'SQLite format 3\0'

function isSqlite(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, SQLITE.length)).toString('latin1') === SQLITE
}
