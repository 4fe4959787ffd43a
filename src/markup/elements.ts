/** What HTML's elements are to a reader of text. One look in a table per tag, for a page has thousands of them. */
import { createNameTable } from './name-table.ts'

export interface Element {
  /** Of one that is in no table, ''. */
  readonly name: string
  /** Elements of one kind close each other: </h3> ends an <h2>, <dt> ends a <dd>. */
  readonly kind: string
  /** Text on both sides of its edges stands in different blocks. */
  readonly isBlock: boolean
  readonly isHeading: boolean
  /** Shown by other means than text, or not at all, or only when asked for. */
  readonly isUnread: boolean
  /** Its inside is text up to its end tag, whatever it looks like. */
  readonly isRaw: boolean
  /** It has no end tag. */
  readonly isVoid: boolean
  /** End tags of what stands outside do not reach through it. HTML Standard, 13.2.4.2: the scopes. */
  readonly isFence: boolean
  readonly isTablePart: boolean
  readonly isList: boolean
  /** Opening it ends a paragraph. HTML Standard, 13.2.6.4.7. */
  readonly endsParagraph: boolean
  /** Text on both sides of its tags stands on different lines. */
  readonly endsLine: boolean
  /** Whatever it holds is not for people, at least not as a part of this text. */
  readonly isSilent: boolean
  /** In a text that may be HTML or not, this is a tag; "<T>" and "<select>" may well be meant. */
  readonly isLikely: boolean
}

const PLAIN: Element = {
  name: '',
  kind: '',
  isBlock: false,
  isHeading: false,
  isUnread: false,
  isRaw: false,
  isVoid: false,
  isFence: false,
  isTablePart: false,
  isList: false,
  endsParagraph: false,
  endsLine: false,
  isSilent: false,
  isLikely: false,
}

/** By its name in lower case. All that are not in the table are parts of a line. */
export function elementOf(name: string): Element {
  return ELEMENTS.get(name) ?? PLAIN
}

const ELEMENTS = new Map<string, Element>()

function are(names: string, traits: Partial<Element>): void {
  for (const name of names.split(' '))
    ELEMENTS.set(name, { ...PLAIN, name, kind: name, ...ELEMENTS.get(name), ...traits })
}

are(
  'address article aside blockquote caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hgroup hr legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul',
  { isBlock: true },
)
are(
  'address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hgroup hr li main menu nav ol p pre section summary table ul',
  { endsParagraph: true },
)
are('h1 h2 h3 h4 h5 h6', { kind: 'heading', isHeading: true })
are('dd dt', { kind: 'definition' })
are('ul ol menu', { isList: true })
are('table tbody thead tfoot tr td th caption', { isTablePart: true })
are('table td th caption', { isFence: true })
are('td th', { kind: 'cell' })
are('tbody thead tfoot', { kind: 'rows' })
are('area base br col embed hr img input link meta param source track wbr', { isVoid: true })
are(
  'applet audio button canvas datalist dialog embed iframe map math noembed noframes noscript object option rp rt script ' +
    'select style svg template textarea video xmp',
  { isUnread: true },
)
are('iframe noembed noframes plaintext script style textarea title xmp', { isRaw: true })
are(
  'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 head header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead ' +
    'title tr ul',
  { endsLine: true, isLikely: true },
)
are('iframe noscript object script style template', { isSilent: true, isLikely: true })
are(
  'a abbr acronym audio b bdi bdo big button cite code data del dfn em embed font i img input ins kbd label link mark ' +
    'meta nobr picture q rp rt ruby s samp small source span strike strong sub sup svg time tt u var video wbr',
  { isLikely: true },
)

/** The element whose name stands there; undefined where it is none of the table. */
export const elementAt = createNameTable(ELEMENTS)
