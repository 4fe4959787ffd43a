/** What a page keeps from its readers' eyes. */
import { type Attributes, NONE } from '../page/attributes.ts'

export function isHidden(attributes: Readonly<Attributes>): boolean {
  if (attributes.hidden !== undefined || attributes.ariaHidden === 'true') return true
  return isHiddenByStyle(attributes)
}

export function isHiddenByStyle({ style }: Readonly<Attributes>): boolean {
  return style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
}

/** A part of a line that only screen readers and robots see. */
export function isHiddenInline(attributes: Readonly<Attributes>): boolean {
  if (attributes === NONE) return false
  return isHidden(attributes) || (attributes.class !== undefined && FOR_READERS.test(attributes.class))
}

const FOR_READERS =
  /(?:^|\s)(?:sr-only|screen-reader(?:-only|-text)?|visually-?hidden|hidden|invisible|d-none)(?:$|\s)/i
