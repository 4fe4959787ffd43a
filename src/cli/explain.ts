/** The wall at which mistakes of all kinds become one sentence, a hint and a code. */

import { ClientError } from '../client/index.ts'
import { HintedError } from '../model/index.ts'
import { StoreError } from '../ports/store-error.ts'
import { ServerError } from '../server/server-error.ts'
import { EXIT } from './exit.ts'
import type { Io } from './io.ts'

export function explain(error: unknown, io: Io): number {
  if (error instanceof StoreError) return say(io, { message: error.message, hint: storeHint(error) }, EXIT.store)
  if (error instanceof ServerError || error instanceof ClientError) return say(io, error, EXIT.failed)
  if (error instanceof HintedError) return say(io, error, EXIT.usage)
  const trouble = troubleWithFile(error)
  if (trouble !== undefined) return say(io, trouble, EXIT.usage)
  io.note(`freshet: a mistake of ours: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return EXIT.failed
}

/** What the machine says of a file that somebody named, and nobody nearer to it has explained. */
function troubleWithFile(error: unknown): { message: string; hint: string } | undefined {
  const { code = '', path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const [what, hint] = FILE_TROUBLES[code] ?? []
  return what && hint && path ? { message: `${path} ${what}`, hint } : undefined
}

const FILE_TROUBLES: Record<string, [what: string, hint: string]> = {
  ENOENT: ['is not there', 'see that the path is right'],
  EISDIR: ['is a folder, and a file is expected', 'name a file'],
  EEXIST: ['is a file, and a folder is expected', 'name a folder, or one that is still to be made'],
  ENOTDIR: ['is below a file, not below a folder', 'see that the path is right'],
  EACCES: ['may not be read or written by you', 'see whose it is, and what its owner allows'],
  EPERM: ['may not be read or written by you', 'see whose it is, and what its owner allows'],
  EROFS: ['is on a disk that may only be read', 'name another place'],
  ENOSPC: ['could not be written: the disk is full', 'make room, or name another place'],
}

/** The store does not know the words of the command line. */
function storeHint({ trouble, hint }: StoreError): string {
  return trouble === 'missing' ? 'freshet add https://example.org makes it; --store names another' : hint
}

function say(io: Io, { message, hint }: { message: string; hint: string }, code: number): number {
  io.note(`freshet: ${message}`)
  io.note(`hint: ${hint}`)
  return code
}
