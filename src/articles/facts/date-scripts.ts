/**
 * Dates in scripts that are not schema.org: data layers, and the state that a page's program begins with. Nothing says whose
 * dates they are, so a name counts only if it says one day wherever it stands: else they are those of a list.
 */
import type { DateFound } from '../dates/date-in.ts'

/** `html`: the page as it came, for these values stand in attributes as well, escaped once or twice. */
export function* datesInScripts(html: string, read: (text: string) => DateFound | undefined): Generator<string> {
  const byName = new Map<string, Map<string, string>>()
  let looked = 0
  for (const [, name, text, epoch] of html.matchAll(STATED)) {
    if (looked++ > MOST) return
    const value = text ?? epoch!
    const key = name!.toLowerCase().replace(/[_-]/g, '')
    // schema.org's own are read elsewhere, and believed only if they are as it wants them.
    const iso = key === 'datepublished' && !/^\d{4}-/.test(value) ? undefined : read(value)?.iso
    if (iso === undefined) continue
    const days = byName.get(key) ?? new Map<string, string>()
    byName.set(key, days.set(iso.slice(0, 10), value))
  }
  for (const days of byName.values()) if (days.size === 1) yield* days.values()
}

const MOST = 300

const NAME =
  '(?:date[_-]?publi(?:shed|cation)|first[_-]?publi(?:shed|cation)|publi(?:sh(?:ed)?|cation)(?=[_-]?(?:date|time|at|on))|pub(?=[_-]?date)|(?:post|article|page|content|display|release)(?=[_-]?(?:post)?[_-]?date))(?:[_-]?(?:post|date|time|at|on|utc|iso|gmt)){0,3}'
const QUOTE = String.raw`(?:\\{0,4}["']|&quot;|&#34;|%22)`
const TEXT = String.raw`\[?${QUOTE}([^"'\\&%<>]{8,40})${QUOTE}`
const EPOCH = String.raw`(\d{10}(?:\d{3})?)(?!\d)`
const STATED = new RegExp(String.raw`(?<!last[_-]?|un)(${NAME})${QUOTE}?\s{0,4}[:=]\s{0,4}(?:${TEXT}|${EPOCH})`, 'gi')
