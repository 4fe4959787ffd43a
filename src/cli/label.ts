/** What somebody calls a thing, from the command line: no longer than the API would take it. */
import { flagOf, InputError } from '../app/index.ts'
import { LONGEST_LABEL } from '../model/index.ts'
import type { Flags } from './command.ts'

/** `name` as commander has it, `titlePrefix` for `--title-prefix`; undefined where it is not given. */
export function labelIn(flags: Flags, name: string): string | undefined {
  const given = flags[name]
  if (typeof given !== 'string') return undefined
  if (given.length <= LONGEST_LABEL) return given
  throw new InputError(
    `--${flagOf(name)} is a text of ${given.length.toLocaleString('en')} characters`,
    `give at most ${LONGEST_LABEL.toLocaleString('en')}`,
  )
}
