/** The JSON shape of a failure: its `kind` for programs, its `words` for users. */
import type { TroubleShape } from '../../api/index.ts'
import { describeFailure, type Failure } from '../../model/index.ts'
import { omitUndefined } from './values.ts'

export function troubleShape(failure: Failure): TroubleShape
export function troubleShape(failure: Failure | undefined): TroubleShape | undefined
export function troubleShape(failure: Failure | undefined): TroubleShape | undefined {
  if (!failure) return undefined
  const status = failure.kind === 'http' ? failure.status : undefined
  return { kind: failure.kind, ...omitUndefined({ status, detail: failure.detail }), words: describeFailure(failure) }
}
