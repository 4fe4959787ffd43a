/**
 * What an element is called, whatever prefix its author chose. `wordOf(names, 'DC:Creator')` has the key "dc:creator" when the
 * prefix stands for Dublin Core, or when nobody said what it stands for; elements of the feed's own vocabulary (RSS in an RSS
 * document, Atom in an Atom document) have no prefix in their key.
 */
import { ownCopy } from '../../../markup/index.ts'
import { byAddress, byConvention, isHtml, NOBODYS } from './namespaces.ts'

/** The two vocabularies that a document itself can be written in. */
export type Family = 'rss' | 'atom'

/**
 * What an element is to us: a container is gone into (channel, item, entry), a field is taken as a slice of the text,
 * whatever is inside, and what is unknown is passed over with all that is inside.
 */
export type Role = 'container' | 'field' | 'unknown'

export interface Word {
  key: string
  role: Role
}

/** Keys -> words. One that is always the same object, with the same string in it, is compared at no cost. */
export type WordsByKey = (key: string) => Word

export interface XmlNames {
  readonly family: Family
  readonly lexicon: WordsByKey
  /** Prefix in lower case -> our prefix, where it is not what everybody uses it for; '' is the default namespace. */
  readonly prefixes: ReadonlyMap<string, string>
  /** Whether a prefix of the document's own choice stands for HTML. */
  readonly hasHtmlPrefix: boolean
  /** Names as written -> what they mean; remembered beyond a document, as most documents have the same names. */
  readonly words: Map<string, Word>
  /** The same names where every element counts. */
  inside: XmlNames | undefined
  /** Attributes of root elements, as written -> what holds inside. */
  readonly roots: Map<string, RootNames>
}

export interface RootNames {
  language: string | undefined
  names: XmlNames
}

export const UNKNOWN: Word = { key: '?', role: 'unknown' }

/** As every element may copy them, a document cannot have as many as it likes. */
const MOST_PREFIXES = 256
const MOST_WORDS = 512
/** No element that we know has half as long a name. */
const LONGEST_NAME = 100

export function createXmlNames(family: Family, lexicon: WordsByKey, prefixes: ReadonlyMap<string, string>): XmlNames {
  let hasHtmlPrefix = false
  for (const [prefix, ours] of prefixes) if (prefix !== '' && isHtml(ours)) hasHtmlPrefix = true
  return { family, lexicon, prefixes, hasHtmlPrefix, words: new Map(), inside: undefined, roots: new Map() }
}

/**
 * The names that hold inside an element with these declarations ([prefix, address] pairs). `atRoot`: it is the document's
 * first. Nearly all declarations say what holds anyway; then the names are the same object.
 */
export function declareNames(names: XmlNames, declarations: [string, string][], atRoot: boolean): XmlNames {
  let prefixes: Map<string, string> | undefined
  for (const [prefix, address] of declarations) {
    const ours = declared(names, prefix, address, atRoot)
    const known = prefixes?.get(prefix) ?? meaningOf(names, prefix)
    if (ours === known && !isHtml(ours)) continue
    prefixes ??= new Map(names.prefixes)
    if (prefixes.size >= MOST_PREFIXES) break
    prefixes.set(ownCopy(prefix), ours)
  }
  return prefixes === undefined ? names : createXmlNames(names.family, names.lexicon, prefixes)
}

/** The names inside of an element that has a structure of its own. */
export function namesInside(names: XmlNames): XmlNames {
  names.inside ??= createXmlNames(names.family, everyElementCounts, names.prefixes)
  return names.inside
}

function everyElementCounts(key: string): Word {
  return { key, role: 'field' }
}

export function wordOf(names: XmlNames, raw: string): Word {
  const known = names.words.get(raw)
  if (known !== undefined) return known
  if (raw.length > LONGEST_NAME) return UNKNOWN
  const written = ownCopy(raw)
  const word = resolve(names, written)
  if (names.words.size >= MOST_WORDS) names.words.clear()
  names.words.set(written, word)
  return word
}

function resolve(names: XmlNames, raw: string): Word {
  const colon = raw.indexOf(':')
  const prefix = colon < 0 ? '' : raw.slice(0, colon).toLowerCase()
  const local = raw.slice(colon + 1).toLowerCase()
  const ours = meaningOf(names, prefix)
  if (ours === NOBODYS) return UNKNOWN
  return names.lexicon(ours === names.family ? local : `${ours}:${local}`)
}

function meaningOf(names: XmlNames, prefix: string): string {
  return names.prefixes.get(prefix) ?? (prefix === '' ? names.family : byConvention(prefix))
}

function declared(names: XmlNames, prefix: string, address: string, atRoot: boolean): string {
  const ours = byAddress(address)
  if (prefix !== '') return ours ?? byConvention(prefix)
  // Whatever the root's own default namespace is, its elements are the vocabulary of the document.
  return atRoot || ours === undefined ? names.family : ours
}
