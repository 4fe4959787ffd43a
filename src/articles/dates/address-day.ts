/** The day that an address names, as many publishers' do. */
import type { Instant } from '../../model/index.ts'
import { dateIn } from './date-in.ts'

/** Its midnight, UTC; undefined if it names none, or one that is in no calendar. */
export function addressDay(url: string): Instant | undefined {
  const host = url.indexOf('/', url.indexOf('://') + 3)
  const day = host < 0 ? undefined : dayInPath(url.slice(host).split(/[?#]/, 1)[0]!)
  return day === undefined ? undefined : dateIn(day)?.at
}

/** As a date that is plain to read. */
export function dayInPath(path: string): string | undefined {
  const match = IN_PATH.exec(path)
  if (match) return `${match[1]}-${(match[3] ?? match[4])!.padStart(2, '0')}-${match[5]!.padStart(2, '0')}`
  const named = NAMED_IN_PATH.exec(path)
  return named ? `${named[3]} ${named[2]} ${named[1]}` : undefined
}

/** "/2026/03/12/", "/2026/3/12/", "/2026-03-12-", "t20260312_". */
const IN_PATH =
  /(?<!\d)((?:19|20)\d\d)(?:([/_.-])(0?[1-9]|1[0-2])\2|\/?(0[1-9]|1[0-2])[/_-]?)(0?[1-9]|[12]\d|3[01])(?!\d)/

const NAMED_IN_PATH = /\/((?:19|20)\d\d)\/([a-z]{3,9})\/(\d{1,2})(?:\/|$)/i
