/**
 * Parser for robots.txt (RFC 9309). Keeps only the rules that apply to us, as plain JSON and ready for use: patterns normalized, longest
 * first, so that the first match decides.
 *
 * A group is one or more `User-agent` lines and the rules after them; groups of the same name are merged. If a group names us, the
 * groups for `*` do not apply. Unknown lines, such as Sitemap, are skipped and do not end a group. Crawl-delay, which the RFC does not
 * define, counts as a rule: it ends the list of names, as its authors intend.
 */
import { MINUTE, type Millis, type RobotsRules, SECOND } from '../model/index.ts'
import { matches, normalizePath, normalizePattern } from './robots-pattern.ts'

/** Ours: with a longer one, a domain with a thousand feeds could not be polled once a day. */
export const MAX_CRAWL_DELAY_MS: Millis = MINUTE

export const ROBOTS_PRODUCT_TOKEN = 'freshet'
export const LARGEST_ROBOTS = 500 * 1024 // bytes; the RFC's minimum (2.5). The rest is not read
const MOST_RULES = 10_000 // ours: each is compared with each path
const LONGEST_PATH = 4_096 // ours, encoded, for paths and patterns: longer than servers accept

export function parseRobots(text: string | Uint8Array): RobotsRules {
  const ours = newGroup()
  const everybodys = newGroup()
  let spokenTo = new Set<Group>()
  let isNaming = false

  for (const line of linesOf(text)) {
    const [name, value] = wordsOf(line)
    if (name === 'user-agent') {
      if (!isNaming) spokenTo = new Set()
      isNaming = true
      if (/^\*(\s|$)/.test(value)) spokenTo.add(everybodys)
      else if (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === ROBOTS_PRODUCT_TOKEN) spokenTo.add(ours)
      for (const group of spokenTo) group.isNamed = true
    } else if (name === 'allow' || name === 'disallow') {
      isNaming = false
      for (const group of spokenTo) addRule(group, name === 'allow' ? '+' : '-', value)
    } else if (name === 'crawl-delay') {
      isNaming = false
      for (const group of spokenTo) group.crawlDelayMs = Math.max(group.crawlDelayMs, delayMs(value))
    }
  }

  const { rules, crawlDelayMs } = ours.isNamed ? ours : everybodys
  return { rules: owned([...rules].sort(mostSpecificFirst)), ...(crawlDelayMs > 0 && { crawlDelayMs }) }
}

/** `path`: with query, without fragment. */
export function isAllowed({ rules }: RobotsRules, path: string): boolean {
  if (path === '/robots.txt' || rules.length === 0) return true
  const settled = path.length > LONGEST_PATH ? path : normalizePath(path)
  if (settled.length > LONGEST_PATH) return false // too long to compare: forbidden if anything is
  const deciding = rules.find((rule) => matches(rule.slice(1), settled))
  return !deciding?.startsWith('-')
}

interface Group {
  isNamed: boolean
  rules: Set<string>
  /** Of all rules together; encoding can make them nine times as long as in the file. */
  characters: number
  crawlDelayMs: Millis
}

function newGroup(): Group {
  return { isNamed: false, rules: new Set(), characters: 0, crawlDelayMs: 0 }
}

/** Drops the last line of a truncated file: a rule cut in the middle could forbid a whole site. */
function linesOf(text: string | Uint8Array): string[] {
  const kept = text.slice(0, LARGEST_ROBOTS)
  const decoded = typeof kept === 'string' ? kept.replace(/^\uFEFF/, '') : new TextDecoder().decode(kept)
  const lines = decoded.split(/\r\n?|\n/)
  return text.length > LARGEST_ROBOTS ? lines.slice(0, -1) : lines
}

function wordsOf(line: string): [name: string, value: string] {
  const comment = line.indexOf('#')
  const said = comment < 0 ? line : line.slice(0, comment)
  const colon = said.indexOf(':')
  return colon < 0 ? ['', ''] : [said.slice(0, colon).trim().toLowerCase(), said.slice(colon + 1).trim()]
}

/** Ignores empty patterns, and those that start with neither `/` nor `*` and so cannot match. */
function addRule(group: Group, sign: '+' | '-', pattern: string): void {
  if (!/^[/*]/.test(pattern) || pattern.length > LONGEST_PATH || group.rules.size >= MOST_RULES) return
  const rule = sign + normalizePattern(pattern)
  group.characters += rule.length
  if (group.characters <= LARGEST_ROBOTS) group.rules.add(rule)
}

/** Copies the rules: slices would keep the whole file in memory. */
function owned(rules: string[]): string[] {
  return JSON.parse(JSON.stringify(rules)) as string[]
}

function delayMs(seconds: string): Millis {
  if (!/^(\d{1,9}(\.\d{0,9})?|\.\d{1,9})$/.test(seconds)) return 0
  return Math.min(MAX_CRAWL_DELAY_MS, Math.ceil(Number(seconds) * SECOND))
}

/** "+" sorts before "-". */
function mostSpecificFirst(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : 1)
}
