/**
 * A document's text with document-wide state. `find` remembers what does not occur any more, so that a thousand unterminated comments do
 * not each search to the end.
 */
import { type DeclaredEntities, decodeEntities } from '../../../html/index.ts'
import { mayHaveControls, removeControlCharacters } from '../text/control-characters.ts'

export interface XmlText {
  readonly text: string
  readonly entities: DeclaredEntities | undefined
  readonly work: ParseWork
  /** Next position of `needle`, or -1. */
  find(needle: string, from: number): number
  /** Decodes entities. */
  decode(raw: string): string
  /** Removes control characters. */
  clean(value: string): string
  /** Whether a container's name may start with this letter: a cheap check that skips most tags of HTML. */
  mayBeContainer(initial: number): boolean
}

/** Counts characters scanned, to test that parsing is linear. */
export interface ParseWork {
  steps: number
}

/** The original bytes of a document, and its text. */
export interface XmlSource {
  bytes: Uint8Array
  text: string
}

/** `rootName`: as written. If the root has a prefix, the other containers have it, too. */
export function createXmlText(
  source: XmlSource,
  rootName: string,
  entities: DeclaredEntities | undefined,
  work: ParseWork,
): XmlText {
  const { text } = source
  let initials = 0
  for (const initial of `${rootName.charAt(0)}${CONTAINER_INITIALS}`) initials |= bitOf(initial.charCodeAt(0))
  const hasControls = mayHaveControls(source.bytes, text)
  const absentFrom = new Map<string, number>()
  return {
    text,
    entities,
    work,
    find(needle, from) {
      if (from >= (absentFrom.get(needle) ?? Number.POSITIVE_INFINITY)) return -1
      const at = text.indexOf(needle, from)
      work.steps += (at < 0 ? text.length : at) - from
      if (at < 0) absentFrom.set(needle, from)
      return at
    },
    decode(raw) {
      work.steps += raw.length
      return decodeEntities(raw, entities)
    },
    clean(value) {
      return hasControls ? removeControlCharacters(value) : value
    },
    mayBeContainer(initial) {
      return initial > 127 || (initials & bitOf(initial)) !== 0
    },
  }
}

/** A letter in any case as one of 32 bits. */
function bitOf(letter: number): number {
  return 1 << (letter & 31)
}

/** item, entry, channel, feed, rss, rdf */
const CONTAINER_INITIALS = 'iecfr'
