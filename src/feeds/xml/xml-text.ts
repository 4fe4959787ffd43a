/**
 * A document's text and what is known of the whole of it. `find` remembers where there is nothing more to find, so that a
 * thousand comments that never end do not each search to the end of the document.
 */
import { decodeEntities, type OwnEntities } from './entities.ts'

export interface XmlText {
  readonly text: string
  readonly entities: OwnEntities | undefined
  readonly work: Work
  /** Where `needle` next stands, or -1. */
  find(needle: string, from: number): number
  /** Text as written -> text as meant. */
  decode(raw: string): string
  /** Without the control characters that XML forbids. */
  clean(value: string): string
  /** Whether a name that begins with this letter can be a container's: most tags inside HTML are dismissed by it. */
  mayBeContainer(initial: number): boolean
}

/** Characters looked at, for those who doubt that it is linear. */
export interface Work {
  steps: number
}

/** `rootName`: as written. Where the root has a prefix, so have the other containers. */
export function createXmlText(text: string, rootName: string, entities: OwnEntities | undefined, work: Work): XmlText {
  const initials = new Uint8Array(128)
  for (const initial of `${rootName.charAt(0)}${CONTAINER_INITIALS}`) initials[(initial.charCodeAt(0) & 127) | 32] = 1
  const hasControls = CONTROLS.some((control) => text.includes(control))
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
      return hasControls ? value.replace(CONTROL, '') : value
    },
    mayBeContainer(initial) {
      return initial > 127 || initials[initial | 32] === 1
    },
  }
}

/** item, entry, channel, feed, rss, rdf */
const CONTAINER_INITIALS = 'iecfr'

const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f]/g

/** One search for each is faster than one for all of them. */
const CONTROLS = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).filter((c) => /[^\t\n\r]/.test(c))
