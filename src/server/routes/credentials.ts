/** Name and password for a private feed, as they are sent; they are taken, and never told again. */
import type { Credentials } from '../../model/index.ts'
import { Problem } from '../problem.ts'

const LONGEST = 1000

export function readCredentials(given: unknown): Credentials {
  const { user, password }: Record<string, unknown> = typeof given === 'object' && given !== null ? { ...given } : {}
  if (isText(user) && isText(password)) return { user, password }
  throw new Problem(
    400,
    'the credentials make no sense',
    'send {"user": "ada", "password": "…"}; to change a feed, also null',
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST
}
