/**
 * Parser for robots.txt (RFC 9309). Keeps only the rules that apply to us, as plain JSON and ready for use: patterns normalized, longest
 * first, so that the first match decides.
 *
 * A group is one or more `User-agent` lines and the rules after them; groups of the same name are merged. If a group names us, the
 * groups for `*` do not apply. Unknown lines are skipped and do not end a group,
 * and neither do Sitemap lines, which belong to no group. Crawl-delay, which the RFC does not
 * define, counts as a rule: it ends the list of names, as its authors intend.
 */
import { MINUTE, type Millis, type RobotsRules, SECOND } from '../model/index.ts'
import { matches, normalizePath, normalizePattern } from './robots-pattern.ts'

/** Ours: with a longer one, a domain with a thousand feeds could not be polled once a day. */
export const MAX_CRAWL_DELAY_MS: Millis = MINUTE

export const ROBOTS_PRODUCT_TOKEN = 'freshet'
export const MAX_ROBOTS_BYTES = 500 * 1024 // bytes; the RFC's minimum (2.5). The rest is not read
const MAX_RULES = 10_000 // ours: each is compared with each path
const MAX_SITEMAPS = 50 // ours, and characters of each: some sites name one per month
const MAX_SITEMAP_LENGTH = 500
const MAX_PATH_LENGTH = 4_096 // ours, encoded, for paths and patterns: longer than servers accept

export function parseRobots(text: string | Uint8Array): RobotsRules {
  const ownGroup = newGroup()
  const defaultGroup = newGroup()
  let currentGroup = new Set<Group>()
  let isNaming = false
  const sitemaps: string[] = []

  for (const line of splitLines(text)) {
    const [name, value] = parseLine(line)
    if (name === 'user-agent') {
      if (!isNaming) currentGroup = new Set()
      isNaming = true
      if (/^\*(\s|$)/.test(value)) currentGroup.add(defaultGroup)
      else if (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === ROBOTS_PRODUCT_TOKEN) currentGroup.add(ownGroup)
      for (const group of currentGroup) group.isNamed = true
    } else if (name === 'allow' || name === 'disallow') {
      isNaming = false
      for (const group of currentGroup) addRule(group, name === 'allow' ? '+' : '-', value)
    } else if (name === 'crawl-delay') {
      isNaming = false
      for (const group of currentGroup) group.crawlDelayMs = Math.max(group.crawlDelayMs, delayMs(value))
    } else if (name === 'sitemap') {
      if (isSitemap(value) && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value)
    }
  }

  const { rules, crawlDelayMs } = ownGroup.isNamed ? ownGroup : defaultGroup
  return {
    rules: copy([...rules].sort(mostSpecificFirst)),
    ...(crawlDelayMs > 0 && { crawlDelayMs }),
    ...(sitemaps.length > 0 && { sitemaps: copy(sitemaps) }),
  }
}

/** `path`: with query, without fragment. */
export function isAllowed({ rules }: RobotsRules, path: string): boolean {
  if (path === '/robots.txt' || rules.length === 0) return true
  const normalizedPath = path.length > MAX_PATH_LENGTH ? path : normalizePath(path)
  if (normalizedPath.length > MAX_PATH_LENGTH) return false // too long to compare: forbidden if anything is
  const deciding = rules.find((rule) => matches(rule.slice(1), normalizedPath))
  return !deciding?.startsWith('-')
}

interface Group {
  isNamed: boolean
  rules: Set<string>
  /** Total length of all rules; encoding can make them nine times as long as in the file. */
  characters: number
  crawlDelayMs: Millis
}

function newGroup(): Group {
  return { isNamed: false, rules: new Set(), characters: 0, crawlDelayMs: 0 }
}

/** Drops the last line of a truncated file: a rule cut in the middle could forbid a whole site. */
function splitLines(text: string | Uint8Array): string[] {
  const limited = text.slice(0, MAX_ROBOTS_BYTES)
  const decoded = typeof limited === 'string' ? limited.replace(/^\uFEFF/, '') : new TextDecoder().decode(limited)
  const lines = decoded.split(/\r\n?|\n/)
  return text.length > MAX_ROBOTS_BYTES ? lines.slice(0, -1) : lines
}

function parseLine(line: string): [name: string, value: string] {
  const comment = line.indexOf('#')
  const content = comment < 0 ? line : line.slice(0, comment)
  const colon = content.indexOf(':')
  return colon < 0 ? ['', ''] : [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()]
}

/** Ignores empty patterns, and those that start with neither `/` nor `*` and so cannot match. */
function addRule(group: Group, verb: '+' | '-', pattern: string): void {
  if (!/^[/*]/.test(pattern) || pattern.length > MAX_PATH_LENGTH || group.rules.size >= MAX_RULES) return
  const rule = verb + normalizePattern(pattern)
  group.characters += rule.length
  if (group.characters <= MAX_ROBOTS_BYTES) group.rules.add(rule)
}

function isSitemap(value: string): boolean {
  return /^https?:\/\//i.test(value) && value.length <= MAX_SITEMAP_LENGTH
}

/** Copies the texts: slices would keep the whole file in memory. */
function copy(texts: string[]): string[] {
  return JSON.parse(JSON.stringify(texts)) as string[]
}

function delayMs(seconds: string): Millis {
  if (!/^(\d{1,9}(\.\d{0,9})?|\.\d{1,9})$/.test(seconds)) return 0
  return Math.min(MAX_CRAWL_DELAY_MS, Math.ceil(Number(seconds) * SECOND))
}

/** "+" sorts before "-". */
function mostSpecificFirst(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : 1)
}
