/** The day that an address names, as many publishers' do: /2026/03/12/, /2026-03-12-, /20260312/. */
import type { Instant } from '../../model/index.ts'

/** Its midnight, UTC; undefined if it names none, or one that is not in any calendar. */
export function addressDay(url: string): Instant | undefined {
  const path = URL.parse(url)?.pathname ?? ''
  const [, year, month, day] = (
    /[/_-]((?:19|20)\d\d)[/_-]?(0[1-9]|1[0-2])[/_-]?(0[1-9]|[12]\d|3[01])(?:[/_.-]|$)/.exec(path) ?? []
  ).map(Number)
  if (year === undefined || month === undefined || day === undefined) return undefined
  const at = Date.UTC(year, month - 1, day)
  return new Date(at).getUTCDate() === day ? at : undefined
}
