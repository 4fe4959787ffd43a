/**
 * HTML as feeds carry it -> the words that the author wrote: no tags, no entities, no agency line in front, no source
 * behind. Copies differ in just these, so they are cut before anything is compared. Every rule is about form, few
 * about words, and each cuts at most once; what a rule misses costs a little likeness and nothing else.
 */

/** A headline without "UPDATE 2-" in front of it or "(AP)", " - Some Paper", "_某报" behind it. */
export function plainTitle(title: string): string {
  const text = withoutMarkup(title.slice(0, LONGEST_TITLE)).trim()
  const cut = text.replace(WIRE_LABEL, '').replace(IN_BRACKETS_BEHIND, '').replace(SOURCE_BEHIND, '')
  return cut.length * 3 >= text.length ? cut : text
}

/** A summary without "PARIS (AFP) - " in front of it. */
export function plainSummary(summary: string): string {
  const text = withoutMarkup(summary.slice(0, LONGEST_SUMMARY)).trim()
  const dateline = DATELINES.find((one) => one.test(text))
  return dateline ? text.replace(dateline, '') : text
}

const LONGEST_TITLE = 1_000
const LONGEST_SUMMARY = 20_000

/** Entities that feeds use, also with their "&" lost on the way, which happens to those decoded once too often. */
export function withoutMarkup(html: string): string {
  const text = html.includes('<') ? html.replace(TAG, ' ') : html
  return text.includes(';') ? text.replace(ENTITY, (all, name: string) => character(name) ?? all) : text
}

/** By name, because in a title "<HARB>" may well be meant. */
const TAG_NAMES = `
  a abbr article aside audio b big blockquote br button center cite code dd div dl dt em figcaption figure font
  footer form h1 h2 h3 h4 h5 h6 header hr i iframe img input label li link main nav object ol p picture pre q s
  script section small source span strike strong style sub sup table tbody td tfoot th thead time tr tt u ul
  video wbr`
const TAG = new RegExp(
  `<!--[^>]{0,1000}>|</?(?:${TAG_NAMES.trim().split(/\s+/).join('|')})(?:[\\s/][^>]*)?(?:>|$)`,
  'gi',
)

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
