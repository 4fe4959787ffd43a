/**
 * The allow list for HTML shown in browsers: elements for text, lists, tables, pictures, audio and video, and attributes
 * that cannot act, each with a test for its value. `id`, `name` and `class` are excluded, because the page's own scripts
 * would confuse foreign elements with its own.
 */
const TEXT =
  'abbr address article aside b bdi bdo blockquote caption cite code dd del details dfn div dl dt em figcaption figure ' +
  'footer h1 h2 h3 h4 h5 h6 header i ins kbd li main mark ol p pre q rp rt ruby s samp section small span strong sub ' +
  'summary sup table tbody td tfoot th thead time tr u ul var'

/** Attributes allowed per element, beside the general ones. `write-tag.ts` writes URLs. */
export const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...TEXT.split(' ').map((name): [string, string[]] => [name, []]),
  ['a', []],
  ['audio', []],
  ['br', []],
  ['col', ['span']],
  ['colgroup', ['span']],
  ['details', ['open']],
  ['hr', []],
  ['img', ['alt', 'width', 'height']],
  ['li', ['value']],
  ['ol', ['start', 'reversed']],
  ['source', ['type']],
  ['td', ['colspan', 'rowspan']],
  ['th', ['colspan', 'rowspan', 'scope']],
  ['time', ['datetime']],
  ['video', ['width', 'height']],
  ['wbr', []],
])

export const GENERAL: readonly string[] = ['dir', 'lang', 'title']

/** Elements that are removed with their content, which is not text or not meant for this page. */
export const DROPPED: ReadonlySet<string> = new Set(
  (
    'applet base canvas datalist dialog embed frame frameset head iframe map meta noembed noframes noscript object ' +
    'option plaintext script select style svg template textarea title xmp'
  ).split(' '),
)

const NUMBER = /^\d{1,4}$/
const FLAG = /^/

const VALUES: Readonly<Record<string, RegExp>> = {
  alt: /^.{0,1000}$/s,
  colspan: /^\d{1,3}$/,
  datetime: /^[\w:.+ -]{1,40}$/,
  dir: /^(?:ltr|rtl|auto)$/i,
  height: NUMBER,
  lang: /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i,
  open: FLAG,
  reversed: FLAG,
  rowspan: /^\d{1,3}$/,
  scope: /^(?:row|col)(?:group)?$/i,
  span: /^\d{1,3}$/,
  start: /^-?\d{1,6}$/,
  title: /^.{0,1000}$/s,
  type: /^(?:audio|video)\/[\w.+-]{1,40}$/i,
  value: /^-?\d{1,6}$/,
  width: NUMBER,
}

/** The value to write; undefined if not allowed. */
export function allowedValue(attribute: string, value: string): string | undefined {
  const test = VALUES[attribute]
  if (test === FLAG) return ''
  return test?.test(value.trim()) ? value.trim() : undefined
}

/** Attributes that are read but never written: lazy picture sources, visibility, formulas. */
const INSPECTED_ATTRIBUTES = [
  'href',
  'src',
  'srcset',
  'data-src',
  'data-original',
  'style',
  'hidden',
  'alttext',
  'encoding',
]

/** Elements whose classes are read; classes of others are ignored. */
export const CLASS_ELEMENTS: ReadonlySet<string> = new Set(['img', 'span'])

export const READ_ATTRIBUTES: ReadonlySet<string> = new Set([...Object.keys(VALUES), ...INSPECTED_ATTRIBUTES])
