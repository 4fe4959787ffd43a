/** What went wrong as our JSON has it: its `kind` for programs, its `words` for people. */
import type { TroubleShape } from '../../api/index.ts'
import { type Failure, failureInWords } from '../../model/index.ts'
import { omitUndefined } from './values.ts'

export function troubleShape(failure: Failure): TroubleShape
export function troubleShape(failure: Failure | undefined): TroubleShape | undefined
export function troubleShape(failure: Failure | undefined): TroubleShape | undefined {
  if (!failure) return undefined
  const status = failure.kind === 'http' ? failure.status : undefined
  return { kind: failure.kind, ...omitUndefined({ status }), words: failureInWords(failure) }
}
