/**
 * Dates in scripts other than schema.org: data layers, and initial state of applications. Nothing links a value to the
 * article, so a name counts only if all its values are the same day: otherwise they belong to a list.
 */
import type { DateFound } from '../dates/parse-page-date.ts'

/** `html`: the raw page, because these values also occur in attributes, escaped once or twice. */
export function* datesInScripts(html: string, read: (text: string) => DateFound | undefined): Generator<string> {
  const byName = new Map<string, Map<string, string>>()
  let checked = 0
  HINT.lastIndex = 0
  for (let hint = HINT.exec(html); hint; hint = HINT.exec(html)) {
    if (checked++ > MAX_VALUES) return
    const before = html.slice(Math.max(0, hint.index - 8), hint.index)
    STATED.lastIndex = hint.index
    const [, name, text, epoch] = STATED.exec(html) ?? []
    const value = text ?? epoch
    if (name === undefined || value === undefined || /last[_-]?$|un$/i.test(before)) continue
    // schema.org's own are read elsewhere, and only trusted in the proper format
    const iso = /date$/i.test(before) && !/^\d{4}-/.test(value) ? undefined : read(value)?.iso
    if (iso === undefined) continue
    const key = name.toLowerCase().replace(/[_-]/g, '')
    const days = byName.get(key) ?? new Map<string, string>()
    byName.set(key, days.set(iso.slice(0, 10), value))
  }
  for (const days of byName.values()) if (days.size === 1) yield* days.values()
}

const MAX_VALUES = 1_000

/** Where such a name may begin: the test at every character must be cheap. */
const HINT = /[Pp]ub(?:li|_?[Dd]ate)|PUBLI|[Pp]ost_?[Dd]ate/g

const NAME = '(?:publi(?:sh(?:ed)?|cation)|pub|post)(?:[_-]?(?:date|time|at|on|utc|iso|gmt)){0,3}'
const QUOTE = String.raw`(?:\\{0,4}["']|&quot;|&#34;|%22)`
const TEXT = String.raw`\[?${QUOTE}([^"'\\&%<>]{8,40})${QUOTE}`
const EPOCH = String.raw`(\d{10}(?:\d{3})?)(?!\d)`
const STATED = new RegExp(String.raw`(${NAME})${QUOTE}?\s{0,4}[:=]\s{0,4}(?:${TEXT}|${EPOCH})`, 'iy')
