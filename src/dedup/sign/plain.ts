/**
 * Reduces a text to the words of its author: removes agency lines at the beginning, sources at the end, remains of entities.
 * Copies differ in exactly these, so they are removed before anything is compared. Rules use form more than words, and each
 * cuts at most once; what a rule misses costs a little likeness and nothing else.
 */

/** A headline without "UPDATE 2-" or "(AP)" in front, and " - Some Paper" or "_某报" at the end. */
export function plainTitle(title: string): string {
  const text = removeBrokenEntities(title.slice(0, LONGEST_TITLE)).trim()
  const cut = text.replace(WIRE_LABEL, '').replace(IN_BRACKETS_BEHIND, '').replace(SOURCE_BEHIND, '')
  return cut.length * 3 >= text.length ? cut : text
}

/** A text without "PARIS (AFP) - " in front. */
export function removeDateline(dated: string): string {
  const text = removeBrokenEntities(dated.slice(0, LONGEST_TEXT)).trim()
  const dateline = DATELINES.find((one) => one.test(text))
  return dateline ? text.replace(dateline, '') : text
}

const LONGEST_TITLE = 1_000
const LONGEST_TEXT = 20_000

/** Remains of entities that were escaped twice, or lost their "&" by decoding once too often. */
export function removeBrokenEntities(text: string): string {
  return text.includes(';') ? text.replace(ENTITY, (all, name: string) => character(name) ?? all) : text
}

const ENTITY = /(?:&|(?<=\s|^))(#x?[0-9a-f]{1,6}|amp|apos|gt|hellip|lt|[lr]?[bd]quo|[lr]squo|mdash|nbsp|ndash|quot);/gi

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', apos: "'", hellip: '…', mdash: '—', ndash: '–' }

function character(name: string): string | undefined {
  if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? (name.endsWith('squo') ? '’' : ' ')
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : ' '
}

const WIRE_LABEL =
  /^(?:update|wrapup|refile|rpt|repeat|corrected|correction|lead|breaking|urgent|eil)\s*\d{0,2}\s*[-:–]\s*/i
const IN_BRACKETS_BEHIND = /\s*\(\p{L}[^()\d]{1,24}\)\s*$/u
const SOURCE_BEHIND = /(?:\s+[-–—|·]\s+|[_|｜])[^-–—|·_｜\d]{2,30}$/u
const DATELINES = [
  /^(?:[\p{Lu}\d(][^\n]{0,50}?)?\([^()]{2,25}\)\s*[-–—:]+\s*/u, // PORT ELSE, 3 May (AP) -
  /^\p{Lu}[\p{L}\d., /'’]{1,48}\s+[-–—]{1,3}\s+/u, // PORT ELSE, 3 May --
  /^\p{Script=Han}{2,10}\d{1,2}月\d{1,2}日[电電讯]\s*/u, // 新华社海港5月3日电
]
