/**
 * Parses search queries typed by users. A query matches entries with at least one term of each clause of `all`, and no term of `none`.
 *
 *   flood "town council" begin* -sports rain OR snow feed:3 folder:News lang:de category:science site:example.org
 *   author:"Ann Other" since:7d until:2026-01-31 label:later is:unread -is:starred is:mine
 *
 * OR stands between two terms and binds more tightly than the space. Everything else is taken as words. A word also finds its inflected
 * forms (floods, flooding); in quotes, with signs, or excluded, it is exact. Invalid queries (an OR without its other side, only
 * exclusions, an invalid date, an unknown operator, a single letter with a star) return an error message. A word with a colon has to be
 * quoted ("foo:bar"), except addresses (https://…), times (12:30), replies (re:) and names such as std::vector. To add a field, add a kind
 * of term and its name in FIELDS, and implement it in the drivers.
 *
 * While a query is typed, its last word may be incomplete: it is a prefix, unless a space or a closing quote follows. Short prefixes are
 * left out at the end of a phrase, where they are slow, and so are operators without a valid value.
 */
import { DAY, type EntryId, type FeedId, type Instant, parseDuration } from '../model/index.ts'
import { inflectableWord } from './search-forms.ts'
import { literalOf } from './search-literals.ts'
import {
  FIELDS,
  operatorLike,
  type QueryFault,
  RULE_FIELDS,
  STATES,
  unknownOperator,
  unknownState,
} from './search-operators.ts'
import { canBegin, foldedWords, isTooShortToBegin } from './search-words.ts'

/** One word, or a phrase. Contains no quotes and no control characters. */
export interface WordsTerm {
  /** words: anywhere. author: in the names of the authors. */
  kind: 'words' | 'author'
  text: string
  /** The last word is a prefix. */
  prefix: boolean
  /** The text is one word, and its inflected forms match, too (search-forms.ts). With `prefix`: these, and all words with the prefix. */
  inflected?: true
  /** The text of an entry has to contain this (search-literals.ts). The index only narrows down the candidates. */
  literal?: string
  /** It is still being typed, so that a prefix is not meant as such, and a literal may go on. */
  isOpen?: true
}

export type SearchTerm =
  | WordsTerm
  | { kind: 'feeds'; ids: readonly FeedId[] }
  /** Exactly these entries, possibly many thousands. Always alone in its clause. */
  | { kind: 'entries'; ids: readonly EntryId[] }
  /** In lower case, such as de or pt-br. de also matches de-at. */
  | { kind: 'language'; code: string }
  | { kind: 'category'; name: string }
  /** A host and all its subdomains. */
  | { kind: 'site'; host: string }

/** A term as typed, before names of feeds and folders are resolved. */
export type TypedTerm =
  | Exclude<SearchTerm, { kind: 'feeds' | 'entries' }>
  | { kind: 'feed'; name: string }
  | { kind: 'folder'; name: string }
  /** Of the current user. */
  | { kind: 'label'; name: string }
  /** For the current user. */
  | { kind: 'is'; what: (typeof STATES)[number] }

/** Only in queries of rules: words in one part of an entry. */
export interface PartTerm {
  kind: 'part'
  part: 'title' | 'text'
  words: WordsTerm
}

/** Only in queries of rules: a part of the address, ignoring case. */
export interface UrlTerm {
  kind: 'url'
  contains: string
}

/** Only in queries of rules: a regular expression. Without `part`, it is looked for in title and text. */
export interface PatternTerm {
  kind: 'pattern'
  part?: 'title' | 'text' | 'url'
  pattern: string
  ignoresCase: boolean
}

export type TypedRuleTerm = TypedTerm | PartTerm | UrlTerm | PatternTerm

export interface Query<Term> {
  all: Term[][]
  none: Term[]
  /** Inclusive, by `at`. */
  since?: Instant
  until?: Instant
}

export type SearchQuery = Query<SearchTerm>
export type TypedQuery = Query<TypedTerm>
export type TypedRuleQuery = Query<TypedRuleTerm>

const MAX_LENGTH = 1000
const MAX_TERMS = 32
/** Letters of a prefix while typing. At the end of a phrase, shorter ones take seconds (docs/decisions/search-index.md). */
const MIN_PREFIX = 2
const MIN_PREFIX_OF_PHRASE = 4

const tokensWith = (fields: readonly string[], pattern = '') =>
  new RegExp(`(-?)(?:(${fields.join('|')}):)?(${pattern}"[^"]*"?\\*?|[^\\s"]+)`, 'gi')
const fieldAloneIn = (fields: readonly string[]) => new RegExp(`^-?(?:${fields.join('|')}):$`, 'i')

const ALL_FIELDS = [...FIELDS, ...RULE_FIELDS]
/** Of searches, and of rules, which also have regular expressions between slashes. */
const SYNTAX = {
  search: { tokens: tokensWith(FIELDS), fieldAlone: fieldAloneIn(FIELDS) },
  rule: {
    tokens: tokensWith(ALL_FIELDS, '/(?:[^/\\\\]|\\\\.)+/i?(?=\\s|$)|'),
    fieldAlone: fieldAloneIn(ALL_FIELDS),
  },
}
const PATTERN = /^\/(.+)\/(i?)$/s

interface QueryToken {
  isExcluded: boolean
  field: string | undefined
  /** Without quotes. */
  value: string
  isPrefix: boolean
  isQuoted: boolean
  /** The last one of a query that is being typed. */
  isOpen: boolean
  /** As typed. Only in queries of rules. */
  pattern?: { source: string; ignoresCase: boolean }
}

export interface ParseOptions {
  /** The query is being typed: its last word may be incomplete. */
  isTyping?: boolean
}

export function parseQuery(text: string, now: Instant, options: ParseOptions = {}): { query: TypedQuery } | QueryFault {
  return parse(text, now, options, 'search') as { query: TypedQuery } | QueryFault // other terms are only in rules
}

/** Also accepts title:, text:, url: and regular expressions. */
export function parseRuleQuery(text: string, now: Instant): { query: TypedRuleQuery } | QueryFault {
  return parse(text, now, {}, 'rule')
}

function parse(
  text: string,
  now: Instant,
  { isTyping = false }: ParseOptions,
  kind: keyof typeof SYNTAX,
): { query: TypedRuleQuery } | QueryFault {
  const { tokens, fieldAlone } = SYNTAX[kind]
  if (text.length > MAX_LENGTH) return fault(`a search is limited to ${MAX_LENGTH} characters`, 'remove some words')
  const plain = text.replace(/[“”„«»]/g, '"').replace(/[\p{Cc}\p{Cs}\p{Co}]/gu, ' ')
  const query: TypedRuleQuery = { all: [], none: [] }
  let terms = 0
  let isJoining = false // the right side of an OR is missing
  let isJoinable = true // the last term may be followed by OR
  for (const match of plain.matchAll(tokens)) {
    const end = match.index + match[0].length
    if (match[0] === 'OR') {
      if (isJoining || terms === 0) return OR_ALONE
      if (!isJoinable) return NOT_BESIDE_OR
      isJoining = true
      continue
    }
    const token = tokenOf(match, isTyping && end === plain.length, kind === 'rule')
    if (fieldAlone.test(match[0])) {
      if (token.isOpen && terms > 0) continue
      return fault(`${match[0]} has no value`, HINT)
    }
    const unknown = token.field === undefined ? operatorLike(match[0], plain[end]) : undefined
    if (unknown !== undefined) return unknownOperator(unknown)
    if (!token.pattern && !/[\p{L}\p{N}]/u.test(token.value)) continue
    if (++terms > MAX_TERMS) return fault(`a search is limited to ${MAX_TERMS} terms`, 'remove some')
    const term = token.isOpen ? parseOpenToken(token, now, terms === 1) : parseToken(token, now)
    if (term === undefined) continue
    if ('fault' in term) return term
    isJoinable = !token.isExcluded && !('date' in term)
    if (isJoining && !isJoinable) return NOT_BESIDE_OR
    if ('date' in term) query[term.date] = term.at
    else if (token.isExcluded) query.none.push(term)
    else if (isJoining) query.all.at(-1)!.push(term)
    else query.all.push([term])
    isJoining = false
  }
  if (isJoining && !isTyping) return OR_ALONE
  if (query.all.length > 0) return { query }
  if (query.none.length > 0) return fault('the search contains only exclusions', 'add a word to search for')
  return fault('the search contains no word', HINT)
}

const HINT =
  'words, "phrases", begin*, -not, this OR that, feed: folder: lang: category: site: author: label: since: until: is:unread is:starred is:muted is:mine can be used'
const OR_ALONE = fault(
  'OR must stand between two terms',
  'give both terms, or write or in lower case to search for the word',
)
const NOT_BESIDE_OR = fault(
  'dates and exclusions cannot be combined with OR',
  'separate them from the terms that OR joins',
)

function fault(sentence: string, hint: string): QueryFault {
  return { fault: sentence, hint }
}

function tokenOf([whole, minus, field, value = '']: RegExpMatchArray, isLast: boolean, isRule: boolean): QueryToken {
  const [, source, flag] = (isRule && PATTERN.exec(value)) || []
  const isQuoted = value.startsWith('"')
  return {
    isExcluded: minus === '-',
    field: field?.toLowerCase(),
    value: value.replaceAll('"', ' ').trim(),
    isPrefix: value.endsWith('*'),
    isQuoted,
    isOpen: isLast && !whole.endsWith('*') && !(isQuoted && value.length > 1 && value.endsWith('"')),
    ...(source !== undefined && { pattern: { source, ignoresCase: flag !== '' } }),
  }
}

type ParsedTerm = TypedRuleTerm | { date: 'since' | 'until'; at: Instant } | QueryFault

/** The last token while the query is typed. Undefined if it is too short to search for. */
function parseOpenToken(token: QueryToken, now: Instant, isAlone: boolean): ParsedTerm | undefined {
  const { field, value, isExcluded } = token
  if (field !== undefined && field !== 'author') {
    const term = parseToken(token, now)
    const isBegun = field !== 'is' || STATES.some((state) => state.startsWith(value.toLowerCase()))
    const isIncomplete =
      'fault' in term ? isBegun : field === 'folder' || field === 'label' || (field === 'site' && !value.includes('.'))
    return isIncomplete && !isAlone ? undefined : term
  }
  if (isExcluded) return parseToken(token, now)
  const term = wordsTerm(token)
  if (term.literal !== undefined) return { ...term, isOpen: true }
  if (!isTooShortToBegin(value) && !canBegin(value)) return term // a logogram is a whole word
  const words = foldedWords(value)
  const isShort = (words.at(-1)?.length ?? 0) < (words.length > 1 ? MIN_PREFIX_OF_PHRASE : MIN_PREFIX)
  if (!isShort) return { ...term, prefix: true, isOpen: true }
  if (words.length === 1) return isAlone ? term : undefined
  return { ...term, text: words.slice(0, -1).join(' ') }
}

function parseToken(token: QueryToken, now: Instant): ParsedTerm {
  const { field, value, isPrefix, isExcluded, pattern } = token
  if (pattern) return patternTerm(field, pattern)
  switch (field) {
    case 'title':
    case 'text':
      return { kind: 'part', part: field, words: { ...wordsTerm(token), kind: 'words' } }
    case 'url':
      return { kind: 'url', contains: value.toLowerCase() }
    case 'feed':
    case 'folder':
    case 'label':
      return { kind: field, name: value }
    case 'lang':
      if (!/^[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}$/i.test(value))
        return fault(`lang: cannot be "${value}"`, 'a code such as de or pt-br is expected')
      return { kind: 'language', code: value.toLowerCase() }
    case 'is': {
      const what = STATES.find((state) => state === value.toLowerCase())
      return what ? { kind: 'is', what } : unknownState(value)
    }
    case 'category':
      return { kind: 'category', name: value.toLowerCase() }
    case 'site': {
      const host = hostOf(value)
      return host
        ? { kind: 'site', host }
        : fault(`site: cannot be "${value}"`, 'a host such as example.org is expected')
    }
    case 'since':
    case 'until': {
      const at = isExcluded ? undefined : dateOf(value, field, now)
      return at === undefined
        ? fault(
            `${isExcluded ? '-' : ''}${field}: cannot be "${value}"`,
            '24h, 7d or a date such as 2026-01-31 is expected',
          )
        : { date: field, at }
    }
    default:
      if (isPrefix && isTooShortToBegin(value))
        return fault(`"${value}" has too few letters before the *`, 'use at least two letters, such as be*')
      return wordsTerm(token)
  }
}

function patternTerm(
  field: string | undefined,
  { source: pattern, ignoresCase }: NonNullable<QueryToken['pattern']>,
): PatternTerm | QueryFault {
  if (field === undefined) return { kind: 'pattern', pattern, ignoresCase }
  if (field === 'title' || field === 'text' || field === 'url')
    return { kind: 'pattern', part: field, pattern, ignoresCase }
  return fault(`${field}: cannot be a regular expression`, 'title:/…/, text:/…/, url:/…/ or /…/ can')
}

function wordsTerm({ field, value, isPrefix, isExcluded, isQuoted }: QueryToken): WordsTerm {
  const prefix = isPrefix && canBegin(value)
  const text = value.replace(/\*+$/, '').trim()
  if (field === 'author') return { kind: 'author', text, prefix }
  const literal = literalOf(text)
  const isInflected = !isQuoted && !isPrefix && !isExcluded && inflectableWord(text) !== undefined
  return {
    kind: 'words',
    text,
    prefix,
    ...(isInflected && { inflected: true }),
    ...(literal !== undefined && { literal }),
  }
}

/** `24h` counts back from now. A date includes the whole day on either side. */
function dateOf(value: string, side: 'since' | 'until', now: Instant): Instant | undefined {
  const backMs = parseDuration(value)
  if (backMs !== undefined) return now - backMs
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(value)) return undefined
  const at = Date.parse(value)
  if (Number.isNaN(at)) return undefined
  return side === 'until' && value.length === '2026-01-31'.length ? at + DAY - 1 : at
}

/** The host of an address or host name, in the form of stored addresses. */
export function hostOf(text: string): string | undefined {
  try {
    const { hostname } = new URL(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
    return hostname.replace(/^www\./, '').replace(/\.$/, '') || undefined
  } catch {
    return undefined
  }
}

/** A host and its parent domains down to two labels: the values of `site:` that match an entry there. */
export function sitesOf(host: string): string[] {
  const names = host.split('.')
  const sites = names.map((_, i) => names.slice(i).join('.'))
  return sites.filter((_, i) => i === 0 || names.length - i >= 2)
}
