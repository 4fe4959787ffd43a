/** The operators of search queries, and what was probably meant by one that does not exist. */

/** Why a query is invalid, and how to fix it. */
export interface QueryFault {
  fault: string
  hint: string
}

export const FIELDS = ['feed', 'folder', 'lang', 'category', 'site', 'author', 'since', 'until', 'label', 'is'] as const
/** Only in queries of rules. */
export const RULE_FIELDS = ['title', 'text', 'url'] as const
export const STATES = ['unread', 'read', 'starred', 'muted', 'mine'] as const

/** Operators of other programs. */
const SYNONYMS: Readonly<Record<string, (typeof FIELDS)[number]>> = {
  language: 'lang',
  after: 'since',
  newer: 'since',
  from: 'author',
  by: 'author',
  before: 'until',
  older: 'until',
  domain: 'site',
  host: 'site',
  inurl: 'site',
  source: 'feed',
  in: 'folder',
  topic: 'category',
  tag: 'category',
  state: 'is',
  has: 'is',
}

/** Written with a colon in texts: subjects of replies, schemes of addresses, and identifiers. They are words. */
const WORDS_WITH_COLON =
  /^(?:re|aw|antw|fw|fwd|wg|sv|vs|tr|rv|odp|ref|isbn|issn|doi|arxiv|urn|uuid|mailto|tel|data|magnet|about|localhost|npm|pypi|http|https|ftp|ftps|file|git|ssh|ws|wss)$/i

/** Two or more letters and a colon, followed by a value. */
const FIELD_LIKE = /^-?([a-z][a-z_]+):(?!\/\/|:)/i

/** The operator of a token, if it looks like one: `title:` of title:mail and of title:"two words", and not of "Re: mail". */
export function operatorLike(token: string, next: string | undefined): string | undefined {
  const [like, name] = FIELD_LIKE.exec(token) ?? []
  if (like === undefined || name === undefined || WORDS_WITH_COLON.test(name)) return undefined
  return token.length > like.length || next === '"' ? name : undefined
}

export function unknownOperator(name: string): QueryFault {
  if (RULE_FIELDS.some((field) => field === name.toLowerCase()))
    return {
      fault: `${name}: can only be used in rules`,
      hint: `leave it out; to search for the text itself, put it in quotes: "${name}:…"`,
    }
  const near = closestField(name.toLowerCase())
  const quoted = `to search for the text itself, put it in quotes: "${name}:…"`
  return {
    fault: `unknown operator "${name}"`,
    hint: `${near ? `did you mean ${near}:? ` : ''}available: ${FIELDS.map((field) => `${field}:`).join(' ')}; ${quoted}`,
  }
}

export function unknownState(value: string): QueryFault {
  const near = closest(value.toLowerCase(), STATES)
  return {
    fault: `is: cannot be "${value}"`,
    hint: `${near ? `did you mean is:${near}? ` : ''}unread, read, starred, muted or mine is expected`,
  }
}

function closestField(typed: string): string | undefined {
  const byPrefix = FIELDS.find((field) => typed.startsWith(field) || (typed.length > 2 && field.startsWith(typed)))
  const near = byPrefix ?? closest(typed, [...FIELDS, ...Object.keys(SYNONYMS)])
  return near === undefined ? undefined : (SYNONYMS[near] ?? near)
}

/** The one with the fewest typing errors, if they are at most a third of the letters. */
function closest(typed: string, known: readonly string[]): string | undefined {
  const errors = known.map((one) => ({ one, errors: editDistance(typed.slice(0, 20), one) }))
  const best = errors.toSorted((a, b) => a.errors - b.errors)[0]!
  return best.errors <= Math.max(1, Math.floor(best.one.length / 3)) && best.errors < typed.length
    ? best.one
    : undefined
}

/** Letters to insert, remove, replace, or swap with their neighbor (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isEqual = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          last[j]! + 1,
          row[j - 1]! + 1,
          last[j - 1]! + (isEqual ? 0 : 1),
          isSwapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    ;[before, last] = [last, row]
  }
  return last[b.length]!
}
