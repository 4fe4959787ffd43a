/** Converts any error to a message, a hint and an exit code. */
import { ClientError } from '../client/index.ts'
import { HintedError } from '../model/index.ts'
import { StoreError } from '../ports/store-error.ts'
import { ServerError } from '../server/server-error.ts'
import { EXIT } from './exit.ts'
import type { Io } from './io.ts'

export function explainError(error: unknown, io: Io): number {
  if (error instanceof StoreError) return printError(io, { message: error.message, hint: storeHint(error) }, EXIT.store)
  if (error instanceof ServerError || error instanceof ClientError) return printError(io, error, EXIT.failed)
  if (error instanceof HintedError) return printError(io, error, EXIT.usage)
  const fileError = describeFileError(error)
  if (fileError !== undefined) return printError(io, fileError, EXIT.usage)
  io.note(
    `freshet: internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  )
  return EXIT.failed
}

/** Describes errors of the file system that no command has handled. */
function describeFileError(error: unknown): { message: string; hint: string } | undefined {
  const { code = '', path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const [what, hint] = FILE_ERRORS[code] ?? []
  return what && hint && path ? { message: `${path} ${what}`, hint } : undefined
}

const FILE_ERRORS: Record<string, [what: string, hint: string]> = {
  ENOENT: ['does not exist', 'check the path'],
  EISDIR: ['is a folder, not a file', 'give a file'],
  EEXIST: ['is a file, not a folder', 'give a folder, which may not exist yet'],
  ENOTDIR: ['is below a file, not a folder', 'check the path'],
  EACCES: ['is not accessible: permission denied', 'check its owner and permissions'],
  EPERM: ['is not accessible: permission denied', 'check its owner and permissions'],
  EROFS: ['is on a read-only disk', 'choose another place'],
  ENOSPC: ['could not be written: the disk is full', 'free some space, or choose another place'],
}

/** The store does not know the commands, so this hint is replaced. */
function storeHint({ kind, hint }: StoreError): string {
  return kind === 'missing' ? 'create it with freshet add https://example.org, or set --store' : hint
}

function printError(io: Io, { message, hint }: { message: string; hint: string }, code: number): number {
  io.note(`freshet: ${message}`)
  io.note(`hint: ${hint}`)
  return code
}
