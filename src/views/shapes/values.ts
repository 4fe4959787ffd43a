/** Values as our JSON has them: dates as text, and nothing where there is nothing. */
import { type Instant, NEVER } from '../../model/index.ts'

export function isoDate(at: Instant): string {
  return new Date(at).toISOString()
}

/** Feeds name dates that no calendar has; one of them must not cost the whole answer. */
export function isoOrUndefined(at: Instant | undefined): string | undefined {
  return at === undefined || !(Math.abs(at) < NEVER) ? undefined : isoDate(at)
}

export function omitUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}
