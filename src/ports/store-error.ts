/** Errors on opening or writing a store. Thrown, because no caller can continue without a store. */
import { HintedError } from '../model/index.ts'

export type StoreErrorKind =
  /** Another process is writing to it; the message names it. */
  | 'in-use'
  /** It is not a Freshet store, or it is damaged. */
  | 'not-a-store'
  /** It was written by a newer version of Freshet. */
  | 'too-new'
  /** The folder or the file cannot be read or written, or the disk is full. */
  | 'no-access'
  /** It does not exist, and was opened for reading only. */
  | 'missing'

export class StoreError extends HintedError {
  readonly kind: StoreErrorKind
  /** For `in-use`: the URL of the owner's API, if known. */
  readonly ownerUrl: string | undefined
  /** Retrying later is safe and may succeed. */
  readonly isTransient: boolean

  constructor(
    kind: StoreErrorKind,
    message: string,
    hint: string,
    options: ErrorOptions & { ownerUrl?: string; isTransient?: boolean } = {},
  ) {
    super(message, hint, options)
    this.kind = kind
    this.ownerUrl = options.ownerUrl
    this.isTransient = options.isTransient ?? false
  }
}
