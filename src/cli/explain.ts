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
  io.note(
    `freshet: internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  )
  return EXIT.failed
}

/** What the machine says of a file that somebody named, and nobody nearer to it has explained. */
function troubleWithFile(error: unknown): { message: string; hint: string } | undefined {
  const { code = '', path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const [what, hint] = FILE_TROUBLES[code] ?? []
  return what && hint && path ? { message: `${path} ${what}`, hint } : undefined
}

const FILE_TROUBLES: Record<string, [what: string, hint: string]> = {
  ENOENT: ['does not exist', 'check the path'],
  EISDIR: ['is a folder, not a file', 'give a file'],
  EEXIST: ['is a file, not a folder', 'give a folder, which may not exist yet'],
  ENOTDIR: ['is below a file, not a folder', 'check the path'],
  EACCES: ['is not accessible: permission denied', 'check its owner and permissions'],
  EPERM: ['is not accessible: permission denied', 'check its owner and permissions'],
  EROFS: ['is on a read-only disk', 'choose another place'],
  ENOSPC: ['could not be written: the disk is full', 'free some space, or choose another place'],
}

/** The store does not know the words of the command line. */
function storeHint({ trouble, hint }: StoreError): string {
  return trouble === 'missing' ? 'create it with freshet add https://example.org, or set --store' : hint
}

function say(io: Io, { message, hint }: { message: string; hint: string }, code: number): number {
  io.note(`freshet: ${message}`)
  io.note(`hint: ${hint}`)
  return code
}
