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
const MOST_PREFIXES = 256
const MOST_WORDS = 512
/** No known element has a name half as long. */
const LONGEST_NAME = 100

export function createXmlNames(family: FeedFamily, lexicon: Lexicon, prefixes: ReadonlyMap<string, string>): XmlNames {
  let hasHtmlPrefix = false
  for (const [prefix, ours] of prefixes) if (prefix !== '' && isHtml(ours)) hasHtmlPrefix = true
  return { family, lexicon, prefixes, hasHtmlPrefix, words: new Map(), inside: undefined, roots: new Map() }
}

/**
 * Applies namespace declarations ([prefix, address] pairs) of an element. `atRoot`: it is the document's root. Most declarations change
 * nothing; then the same object is returned.
 */
export function declareNames(names: XmlNames, declarations: [string, string][], atRoot: boolean): XmlNames {
  let prefixes: Map<string, string> | undefined
  for (const [prefix, address] of declarations) {
    const ours = declared(names, prefix, address, atRoot)
    const known = prefixes?.get(prefix) ?? meaningOf(names, prefix)
    if (ours === known && !isHtml(ours)) continue
    prefixes ??= new Map(names.prefixes)
    if (prefixes.size >= MOST_PREFIXES) break
    prefixes.set(copyString(prefix), ours)
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
  const known = names.words.get(raw)
  if (known !== undefined) return known
  if (raw.length > LONGEST_NAME) return UNKNOWN
  const written = copyString(raw)
  const word = resolve(names, written)
  if (names.words.size >= MOST_WORDS) names.words.clear()
  names.words.set(written, word)
  return word
}

function resolve(names: XmlNames, raw: string): NamedElement {
  const colon = raw.indexOf(':')
  const prefix = colon < 0 ? '' : raw.slice(0, colon).toLowerCase()
  const local = raw.slice(colon + 1).toLowerCase()
  const ours = meaningOf(names, prefix)
  if (ours === UNKNOWN_NAMESPACE) return UNKNOWN
  return names.lexicon(ours === names.family ? local : `${ours}:${local}`)
}

function meaningOf(names: XmlNames, prefix: string): string {
  return names.prefixes.get(prefix) ?? (prefix === '' ? names.family : namespaceByPrefix(prefix))
}

function declared(names: XmlNames, prefix: string, address: string, atRoot: boolean): string {
  const ours = namespaceByAddress(address)
  if (prefix !== '') return ours ?? namespaceByPrefix(prefix)
  // The root's default namespace is the document's own vocabulary, whatever it is.
  return atRoot || ours === undefined ? names.family : ours
}
