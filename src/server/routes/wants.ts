/** What a person wants of polls, as it is sent: `{"goalMs": 600000}`. What is absent or null is not wanted. */
import { DAY, SECOND, type Wants } from '../../model/index.ts'
import { Problem } from '../problem.ts'

const NAMES = ['minMs', 'maxMs', 'goalMs'] as const
const LONGEST_MS = 366 * DAY

export const EXPECTED_WANTS = `send an object with any of ${NAMES.join(', ')}: milliseconds from ${SECOND} to ${LONGEST_MS}, or null`

export function readWants(body: unknown): Wants {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem(400, 'what is wanted is not an object', EXPECTED_WANTS)
  const wants: Wants = {}
  for (const [name, value] of Object.entries(body)) {
    const known = NAMES.find((one) => one === name)
    if (!known) throw new Problem(400, `nobody can want "${name}" of polls`, EXPECTED_WANTS)
    if (value === null) continue
    if (typeof value !== 'number' || !(value >= SECOND && value <= LONGEST_MS))
      throw new Problem(400, `${name} makes no sense`, EXPECTED_WANTS)
    wants[known] = value
  }
  if ((wants.minMs ?? 0) > (wants.maxMs ?? LONGEST_MS))
    throw new Problem(400, 'minMs is longer than maxMs', 'make the first the shorter one')
  return wants
}
