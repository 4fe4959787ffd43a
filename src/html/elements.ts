/** Properties of HTML elements for text extraction. One table lookup per tag, because a page has thousands. */
import { createNameTable } from './name-table.ts'

export interface Element {
  /** '' for unknown elements. */
  readonly name: string
  /** Elements of one kind close each other: </h3> ends an <h2>, <dt> ends a <dd>. */
  readonly kind: string
  /** Its content is a separate block. */
  readonly isBlock: boolean
  readonly isHeading: boolean
  /** Not shown as text, or only on request. */
  readonly isUnread: boolean
  /** Its content is text up to its end tag, whatever it looks like. */
  readonly isRaw: boolean
  /** Whether it has no end tag. */
  readonly isVoid: boolean
  /** End tags of outer elements do not reach through it. HTML Standard, 13.2.4.2: scopes. */
  readonly isFence: boolean
  readonly isTablePart: boolean
  readonly isList: boolean
  /** Its start tag ends a paragraph. HTML Standard, 13.2.6.4.7. */
  readonly endsParagraph: boolean
  /** Its tags are line breaks. */
  readonly endsLine: boolean
  /** Its content is not for readers of this text. */
  readonly isHidden: boolean
  /** Counts as a tag even in text that may not be HTML; "<T>" and "<select>" may be literal there. */
  readonly isLikelyTag: boolean
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
  isHidden: false,
  isLikelyTag: false,
}

/** The element with this name, in lower case. Unknown elements are inline. */
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
  { endsLine: true, isLikelyTag: true },
)
are('iframe noscript object script style template', { isHidden: true, isLikelyTag: true })
are(
  'a abbr acronym audio b bdi bdo big button cite code data del dfn em embed font i img input ins kbd label link mark ' +
    'meta nobr picture q rp rt ruby s samp small source span strike strong sub sup svg time tt u var video wbr',
  { isLikelyTag: true },
)

/** The element whose name is at this position; undefined if unknown. */
export const elementAt = createNameTable(ELEMENTS)
