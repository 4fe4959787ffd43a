/** Detects elements that are not visible to readers. */
import { type Attributes, NO_ATTRIBUTES } from '../page/attributes.ts'

export function isHidden(attributes: Readonly<Attributes>): boolean {
  if (attributes.hidden !== undefined || attributes.ariaHidden === 'true') return true
  return isHiddenByStyle(attributes)
}

/** Pop-ups of widespread site builders, shown when a reader is about to leave the page. */
export function isOverlay({ class: classes }: Readonly<Attributes>): boolean {
  return classes !== undefined && LAID_OVER.test(classes)
}

const LAID_OVER = /(?:^|\s)(?:elementor-location-popup|pum-overlay|mfp-hide)(?:$|\s)/

export function isHiddenByStyle({ style }: Readonly<Attributes>): boolean {
  return style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
}

/** An inline element that only screen readers and robots see. */
export function isHiddenInline(attributes: Readonly<Attributes>): boolean {
  if (attributes === NO_ATTRIBUTES) return false
  const { class: classes } = attributes
  return isHidden(attributes) || (classes !== undefined && MAY_HIDE.test(classes) && hides(classes))
}

function hides(classes: string): boolean {
  return FOR_READERS.test(classes) || OPENS.test(classes)
}

/** Cheap precondition: every such name contains one of these. */
const MAY_HIDE = /only|reader|hidden|invisible|none|tip|over/i

const FOR_READERS =
  /(?:^|\s)(?:sr-only|screen-reader(?:-only|-text)?|visually-?hidden|hidden|invisible|d-none)(?:$|\s)/i

/** Content that opens when pointing at a word: "term-tooltip", "rollover-block"; the trigger has another name. */
const OPENS =
  /(?:tool-?tip|popover|hover-?card|roll-?over)[-_]*(?:\w+[-_]+)*?(?:block|box|bubble|card|content|inner|panel|popup|text)/i
