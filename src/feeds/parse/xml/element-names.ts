/**
 * Resolves element names independently of their prefixes. 'DC:Creator' has the key "dc:creator" if the prefix is declared as Dublin Core
 * or not declared at all; elements of the feed's own vocabulary (RSS in an RSS document, Atom in an Atom document) have no prefix in
 * their key.
 */
import { copyString } from '../../../html/index.ts'
import { isHtml, namespaceByAddress, namespaceByPrefix, UNKNOWN_NAMESPACE } from './namespaces.ts'

/** The two vocabularies a document can be written in. */
export type FeedFamily = 'rss' | 'atom'

/**
 * How an element is processed: containers (channel, item, entry) are entered, fields are taken as slices of the text with everything
 * inside, unknown elements are skipped with everything inside.
 */
export type Role = 'container' | 'field' | 'unknown'

export interface NamedElement {
  key: string
  role: Role
}

/** Looks up the word of a key. Returns the same object each time, so that comparisons are cheap. */
export type Lexicon = (key: string) => NamedElement

export interface XmlNames {
  readonly family: FeedFamily
  readonly lexicon: Lexicon
  /** Prefix in lower case -> our prefix, where they differ; '' is the default namespace. */
  readonly prefixes: ReadonlyMap<string, string>
  /** Whether a declared prefix stands for HTML. */
  readonly hasHtmlPrefix: boolean
  /** Cache: names as written -> words. Shared between documents, as most use the same names. */
  readonly words: Map<string, NamedElement>
  /** The same names with every element as a field. */
  inside: XmlNames | undefined
  /** Cache: attributes of root elements, as written -> the resulting scope. */
  readonly roots: Map<string, RootNames>
}

export interface RootNames {
  language: string | undefined
  names: XmlNames
}

export const UNKNOWN: NamedElement = { key: '?', role: 'unknown' }

/** Every element may copy them, so their number is limited. */
const MAX_PREFIXES = 256
const MAX_WORDS = 512
/** No known element has a name half as long. */
const MAX_NAME_LENGTH = 100

export function createXmlNames(family: FeedFamily, lexicon: Lexicon, prefixes: ReadonlyMap<string, string>): XmlNames {
  let hasHtmlPrefix = false
  for (const [prefix, vocabulary] of prefixes) if (prefix !== '' && isHtml(vocabulary)) hasHtmlPrefix = true
  return { family, lexicon, prefixes, hasHtmlPrefix, words: new Map(), inside: undefined, roots: new Map() }
}

/**
 * Applies namespace declarations ([prefix, address] pairs) of an element. `atRoot`: it is the document's root. Most declarations change
 * nothing; then the same object is returned.
 */
export function declareNames(names: XmlNames, declarations: [string, string][], atRoot: boolean): XmlNames {
  let prefixes: Map<string, string> | undefined
  for (const [prefix, address] of declarations) {
    const vocabulary = declared(names, prefix, address, atRoot)
    const current = prefixes?.get(prefix) ?? meaningOf(names, prefix)
    if (vocabulary === current && !isHtml(vocabulary)) continue
    prefixes ??= new Map(names.prefixes)
    if (prefixes.size >= MAX_PREFIXES) break
    prefixes.set(copyString(prefix), vocabulary)
  }
  return prefixes === undefined ? names : createXmlNames(names.family, names.lexicon, prefixes)
}

/** The names inside an element with inner structure. */
export function namesInsideElement(names: XmlNames): XmlNames {
  names.inside ??= createXmlNames(names.family, everyElementCounts, names.prefixes)
  return names.inside
}

function everyElementCounts(key: string): NamedElement {
  return { key, role: 'field' }
}

export function lookupName(names: XmlNames, raw: string): NamedElement {
  const cached = names.words.get(raw)
  if (cached !== undefined) return cached
  if (raw.length > MAX_NAME_LENGTH) return UNKNOWN
  const written = copyString(raw)
  const named = resolve(names, written)
  if (names.words.size >= MAX_WORDS) names.words.clear()
  names.words.set(written, named)
  return named
}

function resolve(names: XmlNames, raw: string): NamedElement {
  const colon = raw.indexOf(':')
  const prefix = colon < 0 ? '' : raw.slice(0, colon).toLowerCase()
  const local = raw.slice(colon + 1).toLowerCase()
  const vocabulary = meaningOf(names, prefix)
  if (vocabulary === UNKNOWN_NAMESPACE) return UNKNOWN
  return names.lexicon(vocabulary === names.family ? local : `${vocabulary}:${local}`)
}

function meaningOf(names: XmlNames, prefix: string): string {
  return names.prefixes.get(prefix) ?? (prefix === '' ? names.family : namespaceByPrefix(prefix))
}

function declared(names: XmlNames, prefix: string, address: string, atRoot: boolean): string {
  const vocabulary = namespaceByAddress(address)
  if (prefix !== '') return vocabulary ?? namespaceByPrefix(prefix)
  // The root's default namespace is the document's own vocabulary, whatever it is.
  return atRoot || vocabulary === undefined ? names.family : vocabulary
}
