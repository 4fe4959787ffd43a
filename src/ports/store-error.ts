/** What can be wrong with a store when it is opened or written. Thrown, because nobody can go on without a store. */
import { HintedError } from '../model/index.ts'

export type StoreTrouble =
  /** Somebody else is writing to it; the message says who. */
  | 'in-use'
  /** It is not a store of ours, or it is damaged. */
  | 'not-a-store'
  /** It was written by a newer version of the program. */
  | 'too-new'
  /** The folder or the file cannot be read or written, or the disk is full. */
  | 'no-access'
  /** It does not exist, and was opened for reading only. */
  | 'missing'

export class StoreError extends HintedError {
  readonly trouble: StoreTrouble
  /** For `in-use`: where the owner's API listens, if it told. */
  readonly ownerUrl: string | undefined
  /** It may be over in a while: whoever tries again later loses nothing. */
  readonly isPassing: boolean

  constructor(
    trouble: StoreTrouble,
    message: string,
    hint: string,
    options: ErrorOptions & { ownerUrl?: string; isPassing?: boolean } = {},
  ) {
    super(message, hint, options)
    this.trouble = trouble
    this.ownerUrl = options.ownerUrl
    this.isPassing = options.isPassing ?? false
  }
}
