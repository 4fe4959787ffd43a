/**
 * The attributes that the extraction uses. All elements store them in objects of one shape, which makes access fast; most
 * elements have none, and share one empty object.
 */
import { createNameTable } from '../../html/index.ts'

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
  /** data-src, data-original: the URL of a lazily loaded picture. */
  lazySrc: string | undefined
  /** data-testid, data-component: names not used by style sheets. */
  testId: string | undefined
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
    testId: undefined,
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

// V8 treats a field that is never written as constant and recompiles when it changes: so each is written once
const written = createAttributes()
for (const name of NAMES) written[name] = ''

/** The field of an attribute; undefined if it is not used. */
export const attributeKey = createNameTable<keyof Attributes>([
  ...NAMES.map((name): [string, keyof Attributes] => [name.toLowerCase(), name]),
  ['aria-hidden', 'ariaHidden'],
  ['data-component', 'testId'],
  ['data-original', 'lazySrc'],
  ['data-src', 'lazySrc'],
  ['data-testid', 'testId'],
  ['http-equiv', 'httpEquiv'],
  ['xml:lang', 'lang'],
])
