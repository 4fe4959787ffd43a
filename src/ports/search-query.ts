/**
 * What people type into a search field, as a small tree: of every clause of `all` one term at least, and no term of `none`.
 *
 *   flood "town council" begin* -sports rain OR snow feed:3 folder:News lang:de category:science site:example.org
 *   author:"Ann Other" since:7d until:2026-01-31 is:unread -is:starred is:mine
 *
 * OR stands between two terms and binds closer than the space. What looks like none of these is taken as words; what cannot be
 * meant (an OR without its other side, nothing but exclusions, a date that is none, an operator that there is not, one letter and a
 * star) is answered with a sentence. A word with a colon that is no operator is searched for in quotes ("foo:bar"); addresses
 * (https://…), times (12:30) and names such as std::vector need none. Whoever adds a field adds a kind of term, its name in
 * FIELDS, and what it means in the drivers.
 */
import { DAY, type EntryId, type FeedId, type Instant, parseDuration } from '../model/index.ts'
import { canBegin, isTooShortToBegin } from './search-words.ts'

/** One word, or several that must stand together; holds no quote and no control character. */
export interface WordsTerm {
  /** Where they stand: anywhere, or among the names of who wrote it. */
  kind: 'words' | 'author'
  text: string
  /** Whether the last word may go on. */
  prefix: boolean
}

export type SearchTerm =
  | WordsTerm
  | { kind: 'feeds'; ids: readonly FeedId[] }
  /** Just these, be they many thousands; it stands alone in its clause. */
  | { kind: 'entries'; ids: readonly EntryId[] }
  /** In lower case, such as de or pt-br; de stands for de-at, too. */
  | { kind: 'language'; code: string }
  | { kind: 'category'; name: string }
  /** A host, which stands for those below it, too. */
  | { kind: 'site'; host: string }

/** As it is typed: which feeds have that name is not known yet. */
export type TypedTerm =
  | Exclude<SearchTerm, { kind: 'feeds' | 'entries' }>
  | { kind: 'feed'; name: string }
  | { kind: 'folder'; name: string }
  /** For who asks. */
  | { kind: 'is'; what: 'unread' | 'read' | 'starred' | 'mine' }

export interface Query<Term> {
  all: Term[][]
  none: Term[]
  /** Neither older nor newer than these, by `at`. */
  since?: Instant
  until?: Instant
}

export type SearchQuery = Query<SearchTerm>
export type TypedQuery = Query<TypedTerm>

/** What cannot be meant, and what could be. */
export interface QueryFault {
  fault: string
  hint: string
}

const MAX_LENGTH = 1000
const MAX_TERMS = 32

const FIELDS = ['feed', 'folder', 'lang', 'category', 'site', 'author', 'since', 'until', 'is']
const PIECES = new RegExp(`(-?)(?:(${FIELDS.join('|')}):)?("[^"]*"?\\*?|[^\\s"]+)`, 'gi')
const FIELD_ALONE = new RegExp(`^-?(?:${FIELDS.join('|')}):$`, 'i')
/** Two letters or more and a colon, with something behind it that belongs to it. */
const LIKE_A_FIELD = /^-?([a-z]{2,}):(?!\/\/|:)/i

interface Piece {
  isUnwanted: boolean
  field: string | undefined
  /** Without its quotes. */
  value: string
  isBeginning: boolean
}

export function parseQuery(text: string, now: Instant): { query: TypedQuery } | QueryFault {
  if (text.length > MAX_LENGTH) return fault(`a search has at most ${MAX_LENGTH} characters`, 'leave some words out')
  const plain = text.replace(/[“”„«»]/g, '"').replace(/[\p{Cc}\p{Cs}\p{Co}]/gu, ' ')
  const query: TypedQuery = { all: [], none: [] }
  let terms = 0
  let isOpen = false // an OR waits for its other side
  let isJoinable = true // what came last can have an OR behind it
  for (const match of plain.matchAll(PIECES)) {
    if (match[0] === 'OR') {
      if (isOpen || terms === 0) return OR_ALONE
      if (!isJoinable) return NOT_BESIDE_OR
      isOpen = true
      continue
    }
    if (FIELD_ALONE.test(match[0])) return fault(`${match[0]} has nothing behind it`, HINT)
    const piece = pieceOf(match)
    const unknown = unknownField(match, plain)
    if (unknown !== undefined) return noSuchField(unknown)
    if (!/[\p{L}\p{N}]/u.test(piece.value)) continue
    if (++terms > MAX_TERMS) return fault(`a search has at most ${MAX_TERMS} terms`, 'leave some out')
    const read = readPiece(piece, now)
    if ('fault' in read) return read
    isJoinable = !piece.isUnwanted && !('date' in read)
    if (isOpen && !isJoinable) return NOT_BESIDE_OR
    if ('date' in read) query[read.date] = read.at
    else if (piece.isUnwanted) query.none.push(read)
    else if (isOpen) query.all.at(-1)!.push(read)
    else query.all.push([read])
    isOpen = false
  }
  if (isOpen) return OR_ALONE
  if (query.all.length > 0) return { query }
  if (query.none.length > 0) return fault('the search only says what is not wanted', 'add what is')
  return fault('there is no word in the search', HINT)
}

/** `title:` of title:mail and of title:"two words", and not of "Re: mail". */
function unknownField(match: RegExpMatchArray, text: string): string | undefined {
  const [whole, , field] = match
  const [like, name] = LIKE_A_FIELD.exec(whole) ?? []
  if (field !== undefined || like === undefined) return undefined
  const isFollowed = whole.length > like.length || text[(match.index ?? 0) + whole.length] === '"'
  return isFollowed ? name : undefined
}

function noSuchField(name: string): QueryFault {
  const typed = name.toLowerCase()
  const near = FIELDS.find((field) => typed.startsWith(field) || (typed.length > 2 && field.startsWith(typed)))
  const quoted = `to search for the words, put them in quotes: "${name}:…"`
  return fault(
    `there is no operator ${name}:`,
    `${near ? `did you mean ${near}:? ` : ''}there are ${FIELDS.map((field) => `${field}:`).join(' ')}; ${quoted}`,
  )
}

const HINT =
  'words, "phrases", begin*, -not, this OR that, feed: folder: lang: category: site: author: since: until: is:unread is:starred is:mine can be asked for'
const OR_ALONE = fault('OR stands between two terms', 'name both, or write or in small letters to look for the word')
const NOT_BESIDE_OR = fault(
  'neither a date nor what is not wanted can stand beside OR',
  'write it apart from the terms that OR joins',
)

function fault(sentence: string, hint: string): QueryFault {
  return { fault: sentence, hint }
}

function pieceOf([, minus, field, value = '']: RegExpMatchArray): Piece {
  return {
    isUnwanted: minus === '-',
    field: field?.toLowerCase(),
    value: value.replaceAll('"', ' ').trim(),
    isBeginning: value.endsWith('*'),
  }
}

type Read = TypedTerm | { date: 'since' | 'until'; at: Instant } | QueryFault

function readPiece({ field, value, isBeginning, isUnwanted }: Piece, now: Instant): Read {
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
      const at = isUnwanted ? undefined : dateOf(value, field, now)
      return at === undefined
        ? fault(
            `${isUnwanted ? '-' : ''}${field}: cannot be "${value}"`,
            '24h, 7d or a date such as 2026-01-31 is expected',
          )
        : { date: field, at }
    }
    default:
      if (isBeginning && isTooShortToBegin(value))
        return fault(`"${value}" has too few letters before the *`, 'write two letters or more, such as be*')
      return {
        kind: field === 'author' ? 'author' : 'words',
        text: value.replace(/\*+$/, '').trim(),
        prefix: isBeginning && canBegin(value),
      }
  }
}

/** `24h` counts back from now; a day is whole, on whichever side it bounds. */
function dateOf(value: string, side: 'since' | 'until', now: Instant): Instant | undefined {
  const backMs = parseDuration(value)
  if (backMs !== undefined) return now - backMs
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(value)) return undefined
  const at = Date.parse(value)
  if (Number.isNaN(at)) return undefined
  return side === 'until' && value.length === '2026-01-31'.length ? at + DAY - 1 : at
}

/** As addresses have it; people may paste one. */
export function hostOf(text: string): string | undefined {
  try {
    const { hostname } = new URL(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
    return hostname.replace(/^www\./, '').replace(/\.$/, '') || undefined
  } catch {
    return undefined
  }
}

/** A host and those above it, down to two names: what `site:` may say of an entry there. */
export function sitesOf(host: string): string[] {
  const names = host.split('.')
  const sites = names.map((_, i) => names.slice(i).join('.'))
  return sites.filter((_, i) => i === 0 || names.length - i >= 2)
}
