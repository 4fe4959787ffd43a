/**
 * Parses search queries typed by users. A query matches entries with at least one term of each clause of `all`, and no term of `none`.
 *
 *   flood "town council" begin* -sports rain OR snow feed:3 folder:News lang:de category:science site:example.org
 *   author:"Ann Other" since:7d until:2026-01-31 is:unread -is:starred is:mine
 *
 * OR stands between two terms and binds more tightly than the space. Everything else is taken as words. Invalid queries (an OR without
 * its other side, only exclusions, an invalid date, an unknown operator, a single letter with a star) return an error message. A word
 * with a colon has to be quoted ("foo:bar"), except addresses (https://…), times (12:30) and names such as std::vector. To add a field,
 * add a kind of term and its name in FIELDS, and implement it in the drivers.
 */
import { DAY, type EntryId, type FeedId, type Instant, parseDuration } from '../model/index.ts'
import { canBegin, isTooShortToBegin } from './search-words.ts'

/** One word, or a phrase. Contains no quotes and no control characters. */
export interface WordsTerm {
  /** words: anywhere. author: in the names of the authors. */
  kind: 'words' | 'author'
  text: string
  /** The last word is a prefix. */
  prefix: boolean
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
  /** For the current user. */
  | { kind: 'is'; what: 'unread' | 'read' | 'starred' | 'mine' }

export interface Query<Term> {
  all: Term[][]
  none: Term[]
  /** Inclusive, by `at`. */
  since?: Instant
  until?: Instant
}

export type SearchQuery = Query<SearchTerm>
export type TypedQuery = Query<TypedTerm>

/** Why a query is invalid, and how to fix it. */
export interface QueryFault {
  fault: string
  hint: string
}

const MAX_LENGTH = 1000
const MAX_TERMS = 32

const FIELDS = ['feed', 'folder', 'lang', 'category', 'site', 'author', 'since', 'until', 'is']
const TOKENS = new RegExp(`(-?)(?:(${FIELDS.join('|')}):)?("[^"]*"?\\*?|[^\\s"]+)`, 'gi')
const FIELD_ALONE = new RegExp(`^-?(?:${FIELDS.join('|')}):$`, 'i')
/** Two or more letters and a colon, followed by a value. */
const FIELD_LIKE = /^-?([a-z]{2,}):(?!\/\/|:)/i

interface QueryToken {
  isExcluded: boolean
  field: string | undefined
  /** Without quotes. */
  value: string
  isPrefix: boolean
}

export function parseQuery(text: string, now: Instant): { query: TypedQuery } | QueryFault {
  if (text.length > MAX_LENGTH) return fault(`a search is limited to ${MAX_LENGTH} characters`, 'remove some words')
  const plain = text.replace(/[“”„«»]/g, '"').replace(/[\p{Cc}\p{Cs}\p{Co}]/gu, ' ')
  const query: TypedQuery = { all: [], none: [] }
  let terms = 0
  let isOpen = false // the right side of an OR is missing
  let isJoinable = true // the last term may be followed by OR
  for (const match of plain.matchAll(TOKENS)) {
    if (match[0] === 'OR') {
      if (isOpen || terms === 0) return OR_ALONE
      if (!isJoinable) return NOT_BESIDE_OR
      isOpen = true
      continue
    }
    if (FIELD_ALONE.test(match[0])) return fault(`${match[0]} has no value`, HINT)
    const token = tokenOf(match)
    const unknown = unknownField(match, plain)
    if (unknown !== undefined) return noSuchField(unknown)
    if (!/[\p{L}\p{N}]/u.test(token.value)) continue
    if (++terms > MAX_TERMS) return fault(`a search is limited to ${MAX_TERMS} terms`, 'remove some')
    const term = parseToken(token, now)
    if ('fault' in term) return term
    isJoinable = !token.isExcluded && !('date' in term)
    if (isOpen && !isJoinable) return NOT_BESIDE_OR
    if ('date' in term) query[term.date] = term.at
    else if (token.isExcluded) query.none.push(term)
    else if (isOpen) query.all.at(-1)!.push(term)
    else query.all.push([term])
    isOpen = false
  }
  if (isOpen) return OR_ALONE
  if (query.all.length > 0) return { query }
  if (query.none.length > 0) return fault('the search contains only exclusions', 'add a word to search for')
  return fault('the search contains no word', HINT)
}

/** `title:` of title:mail and of title:"two words", and not of "Re: mail". */
function unknownField(match: RegExpMatchArray, text: string): string | undefined {
  const [whole, , field] = match
  const [like, name] = FIELD_LIKE.exec(whole) ?? []
  if (field !== undefined || like === undefined) return undefined
  const isFollowed = whole.length > like.length || text[(match.index ?? 0) + whole.length] === '"'
  return isFollowed ? name : undefined
}

function noSuchField(name: string): QueryFault {
  const typed = name.toLowerCase()
  const near = FIELDS.find((field) => typed.startsWith(field) || (typed.length > 2 && field.startsWith(typed)))
  const quoted = `to search for the text itself, put it in quotes: "${name}:…"`
  return fault(
    `unknown operator ${name}:`,
    `${near ? `did you mean ${near}:? ` : ''}available: ${FIELDS.map((field) => `${field}:`).join(' ')}; ${quoted}`,
  )
}

const HINT =
  'words, "phrases", begin*, -not, this OR that, feed: folder: lang: category: site: author: since: until: is:unread is:starred is:mine can be used'
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

function tokenOf([, minus, field, value = '']: RegExpMatchArray): QueryToken {
  return {
    isExcluded: minus === '-',
    field: field?.toLowerCase(),
    value: value.replaceAll('"', ' ').trim(),
    isPrefix: value.endsWith('*'),
  }
}

type ParsedTerm = TypedTerm | { date: 'since' | 'until'; at: Instant } | QueryFault

function parseToken({ field, value, isPrefix, isExcluded }: QueryToken, now: Instant): ParsedTerm {
  switch (field) {
    case 'feed':
    case 'folder':
      return { kind: field, name: value }
    case 'lang':
      if (!/^[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}$/i.test(value))
        return fault(`lang: cannot be "${value}"`, 'a code such as de or pt-br is expected')
      return { kind: 'language', code: value.toLowerCase() }
    case 'is': {
      const what = value.toLowerCase()
      return what === 'unread' || what === 'read' || what === 'starred' || what === 'mine'
        ? { kind: 'is', what }
        : fault(`is: cannot be "${value}"`, 'unread, read, starred or mine is expected')
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
      return {
        kind: field === 'author' ? 'author' : 'words',
        text: value.replace(/\*+$/, '').trim(),
        prefix: isPrefix && canBegin(value),
      }
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
