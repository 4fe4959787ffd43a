/**
 * A document's text and what is known of the whole of it. `find` remembers where there is nothing more to find, so that a
 * thousand comments that never end do not each search to the end of the document.
 */
import { decodeEntities, type OwnEntities } from '../../../markup/index.ts'
import { cleaned, mayHaveControls } from '../text/controls.ts'

export interface XmlText {
  readonly text: string
  readonly entities: OwnEntities | undefined
  readonly work: ParseWork
  /** Where `needle` next stands, or -1. */
  find(needle: string, from: number): number
  /** Text as written -> text as meant. */
  decode(raw: string): string
  /** Without control characters. */
  clean(value: string): string
  /** Whether a name that begins with this letter can be a container's: most tags inside HTML are dismissed by it. */
  mayBeContainer(initial: number): boolean
}

/** Characters looked at, for those who doubt that it is linear. */
export interface ParseWork {
  steps: number
}

/** A document as it came, and as text. */
export interface XmlSource {
  bytes: Uint8Array
  text: string
}

/** `rootName`: as written. Where the root has a prefix, so have the other containers. */
export function createXmlText(
  source: XmlSource,
  rootName: string,
  entities: OwnEntities | undefined,
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
      return hasControls ? cleaned(value) : value
    },
    mayBeContainer(initial) {
      return initial > 127 || (initials & bitOf(initial)) !== 0
    },
  }
}

/** A letter, large or small, as one of 32 bits. */
function bitOf(letter: number): number {
  return 1 << (letter & 31)
}

/** item, entry, channel, feed, rss, rdf */
const CONTAINER_INITIALS = 'iecfr'
