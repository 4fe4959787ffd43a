/** Reads a label, such as a title or folder, from a flag, and checks the length limit of the API. */
import { flagOf, InputError } from '../app/index.ts'
import { MAX_LABEL_LENGTH } from '../model/index.ts'
import type { Flags } from './command.ts'

/** `name` in camelCase, such as `titlePrefix` for `--title-prefix`. Returns undefined if the flag is not set. */
export function labelFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name]
  if (typeof value !== 'string') return undefined
  if (value.length <= MAX_LABEL_LENGTH) return value
  throw new InputError(
    `--${flagOf(name)} is a text of ${value.length.toLocaleString('en')} characters`,
    `give at most ${MAX_LABEL_LENGTH.toLocaleString('en')}`,
  )
}
