/**
 * The attributes that somebody here asks for. All elements have them in one shape, which makes reading and writing them
 * cheap; most elements have none, and share one that is empty.
 */
import { createNameTable } from '../../markup/index.ts'

export interface Attributes {
  alt: string | undefined
  ariaHidden: string | undefined
  class: string | undefined
  content: string | undefined
  datetime: string | undefined
  height: string | undefined
  hidden: string | undefined
  href: string | undefined
  httpEquiv: string | undefined
  id: string | undefined
  itemprop: string | undefined
  itemscope: string | undefined
  itemtype: string | undefined
  lang: string | undefined
  /** data-src, data-original: where a picture is that comes later. */
  lazySrc: string | undefined
  /** data-testid, data-component: names that are not for style sheets. */
  mark: string | undefined
  name: string | undefined
  property: string | undefined
  rel: string | undefined
  role: string | undefined
  src: string | undefined
  srcset: string | undefined
  style: string | undefined
  type: string | undefined
  width: string | undefined
}

export const NO_ATTRIBUTES: Readonly<Attributes> = createAttributes()

export function createAttributes(): Attributes {
  return {
    alt: undefined,
    ariaHidden: undefined,
    class: undefined,
    content: undefined,
    datetime: undefined,
    height: undefined,
    hidden: undefined,
    href: undefined,
    httpEquiv: undefined,
    id: undefined,
    itemprop: undefined,
    itemscope: undefined,
    itemtype: undefined,
    lang: undefined,
    lazySrc: undefined,
    mark: undefined,
    name: undefined,
    property: undefined,
    rel: undefined,
    role: undefined,
    src: undefined,
    srcset: undefined,
    style: undefined,
    type: undefined,
    width: undefined,
  }
}

const NAMES = Object.keys(NO_ATTRIBUTES) as (keyof Attributes)[]

// A field that was never written is a constant to the engine, and what it compiles counts on it: so each is written once.
const written = createAttributes()
for (const name of NAMES) written[name] = ''

/** What an attribute is called here; undefined where nobody wants it. */
export const attributeKey = createNameTable<keyof Attributes>([
  ...NAMES.map((name): [string, keyof Attributes] => [name.toLowerCase(), name]),
  ['aria-hidden', 'ariaHidden'],
  ['data-component', 'mark'],
  ['data-original', 'lazySrc'],
  ['data-src', 'lazySrc'],
  ['data-testid', 'mark'],
  ['http-equiv', 'httpEquiv'],
  ['xml:lang', 'lang'],
])
