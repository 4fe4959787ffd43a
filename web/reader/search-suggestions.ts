/**
 * Suggestions of the search box, for the text before the cursor: completions of the last word, operators and their values, feeds, folders,
 * and earlier searches. Each is a whole query.
 */
export interface Suggestion {
  kind: 'completion' | 'operator' | 'feed' | 'folder' | 'saved' | 'recent' | 'forget'
  /** The text of the box if it is chosen. */
  text: string
  shown: string
  means: string
  /** It is searched for as it is; otherwise the user goes on typing. */
  isWhole?: true
}

export interface SuggestionSources {
  feeds: readonly { title: string }[]
  folders: readonly { name: string; count: string }[]
  saved: readonly { name: string; query: string }[]
  /** Newest first. */
  recent: readonly string[]
  /** Queries that the text may become, from its results. */
  completions: readonly string[]
  /** Values of operators, with their meaning. */
  values: Readonly<Record<string, readonly (readonly [value: string, means: string])[]>>
  operators: Readonly<Record<string, string>>
  words: { feed: string; folder: string; saved: string; recent: string; forget: string }
}

const MAX_SUGGESTIONS = 9
const MAX_VALUES = 7
/** Of each kind, for a word. */
const MAX_OF_KIND = 2
const MAX_EARLIER = 5

export function suggestionsFor(text: string, sources: SuggestionSources): Suggestion[] {
  const [, token = ''] = /((?:-?[a-z]+:)?(?:"[^"]*|\S*))$/i.exec(text) ?? []
  const head = text.slice(0, text.length - token.length)
  const [, minus = '', operator, begun = ''] = /^(-?)([a-z]+):"?(.*)$/i.exec(token) ?? []
  const values = operator === undefined ? undefined : valuesOf(operator.toLowerCase(), sources)
  if (values) return valueSuggestions(`${head}${minus}${operator!.toLowerCase()}:`, begun, values)
  const all =
    text.trim() === ''
      ? [...earlier('', sources), ...operators(head, '', sources), ...forget(sources)]
      : token === ''
        ? operators(head, '', sources)
        : [
            ...completions(text, sources),
            ...operators(head, token, sources),
            ...names(head, token, sources),
            ...earlier(text, sources),
          ]
  return all.slice(0, text.trim() === '' ? Number.POSITIVE_INFINITY : MAX_SUGGESTIONS)
}

type Values = readonly (readonly [value: string, means: string])[]

function valuesOf(operator: string, { feeds, folders, values }: SuggestionSources): Values | undefined {
  if (operator === 'feed') return feeds.map(({ title }) => [title, ''] as const)
  if (operator === 'folder') return folders.map(({ name, count }) => [name, count] as const)
  return Object.hasOwn(values, operator) ? values[operator] : undefined
}

function valueSuggestions(before: string, begun: string, values: Values): Suggestion[] {
  return values
    .filter(([value]) => includes(value, begun))
    .slice(0, MAX_VALUES)
    .map(([value, means]) => {
      const shown = `${before.trimStart().split(/\s/).at(-1)}${quoted(value)}`
      return { kind: 'operator', text: `${before}${quoted(value)} `, shown, means }
    })
}

function completions(text: string, sources: SuggestionSources): Suggestion[] {
  return sources.completions
    .filter((query) => query.toLowerCase() !== text.toLowerCase())
    .filter((query) => includes(query.replaceAll('"', ''), text.trim().replaceAll('"', '')))
    .map((query) => ({ kind: 'completion', text: `${query} `, shown: query, means: '' }))
}

function operators(head: string, token: string, { operators }: SuggestionSources): Suggestion[] {
  return Object.entries(operators)
    .filter(([one]) => one.toLowerCase().startsWith(token.toLowerCase()) && one !== token)
    .map(([one, means]) => ({
      kind: 'operator',
      text: head + (one === 'OR' ? 'OR ' : one),
      shown: one === '"' ? '"…"' : one === '-' ? '-…' : one,
      means,
    }))
}

/** Feeds and folders whose names contain the word. */
function names(head: string, token: string, { feeds, folders, words }: SuggestionSources): Suggestion[] {
  if (token.length < 2 || !/^[\p{L}\p{N}]/u.test(token)) return []
  const suggest = (kind: 'feed' | 'folder', all: readonly string[], means: string): Suggestion[] =>
    all
      .filter((name) => includes(name, token))
      .slice(0, MAX_OF_KIND)
      .map((name) => ({ kind, text: `${head}${kind}:${quoted(name)} `, shown: `${kind}:${quoted(name)}`, means }))
  return [
    ...suggest(
      'feed',
      feeds.map(({ title }) => title),
      words.feed,
    ),
    ...suggest(
      'folder',
      folders.map(({ name }) => name),
      words.folder,
    ),
  ]
}

/** Searches of the user that contain the text. */
function earlier(text: string, { saved, recent, words }: SuggestionSources): Suggestion[] {
  const limit = text === '' ? MAX_EARLIER : MAX_OF_KIND
  const queries = new Set(saved.map(({ query }) => query))
  return [
    ...saved
      .filter(({ name, query }) => includes(name, text) || includes(query, text))
      .slice(0, limit)
      .map(({ name, query }) => whole('saved', query, name, words.saved)),
    ...recent
      .filter((query) => includes(query, text) && !queries.has(query))
      .slice(0, limit)
      .map((query) => whole('recent', query, query, words.recent)),
  ].filter((one) => one.text !== text.trim())
}

function forget({ recent, words }: SuggestionSources): Suggestion[] {
  return recent.length > 0 ? [{ kind: 'forget', text: '', shown: words.forget, means: '' }] : []
}

function whole(kind: 'saved' | 'recent', text: string, shown: string, means: string): Suggestion {
  return { kind, text, shown, means, isWhole: true }
}

function includes(name: string, part: string): boolean {
  return folded(name).includes(folded(part.trim()))
}

function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

function quoted(value: string): string {
  return /\s/.test(value) ? `"${value.replaceAll('"', '')}"` : value
}
