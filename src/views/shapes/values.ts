/** Values in JSON: dates as text, and absent fields for undefined values. */
import { type Instant, NEVER } from '../../model/index.ts'

export function isoDate(at: Instant): string {
  return new Date(at).toISOString()
}

/** Feeds contain dates that `Date` cannot represent; one of them must not make the whole response fail. */
export function isoOrUndefined(at: Instant | undefined): string | undefined {
  return at === undefined || !(Math.abs(at) < NEVER) ? undefined : isoDate(at)
}

export function omitUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}
