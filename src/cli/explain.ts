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
  io.note(`freshet: a mistake of ours: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return EXIT.failed
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
