/**
 * Parses the CSS selectors of extraction rules: names of elements, `.class`, `#id`, `[attribute="value"]` with =, ~=, ^=, $= and *=, inside
 * one another (`div p`) or directly (`div > p`), and lists of all that.
 */
import { type Attributes, attributeKey } from '../page/attributes.ts'

/** Conditions for one element. */
export interface Compound {
  /** Absent for `*`. */
  name?: string
  attributes: AttributeTest[]
  /** Whether it must be a child of what is before it, not any descendant. */
  isChild: boolean
}

export interface AttributeTest {
  key: keyof Attributes
  operator: 'exists' | '=' | '~=' | '^=' | '$=' | '*='
  value: string
}

/** The last compound is the element itself. At most 31 compounds. */
export type Selector = Compound[]

const MAX_LENGTH = 500
const MAX_COMPOUNDS = 30

const NAME = /^(?:\*|-?[a-z_][\w-]*)/i
const PART =
  /^(?:([.#])(-?[a-z_\u0080-\uffff][\w\u0080-\uffff-]*)|\[\s*([a-z][\w:-]*)\s*(?:([~^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*)?\])/i

export function parseSelector(text: string): Selector[] | { fault: string } {
  if (text.length > MAX_LENGTH) return { fault: `a selector is limited to ${MAX_LENGTH} characters` }
  const selectors: Selector[] = []
  let current: Selector = []
  let isChild = false
  let compounds = 0
  let rest = text.trim()
  const fault = { fault: `"${rest.slice(0, 40)}" is not a selector that is supported here` }
  while (rest !== '') {
    const parsed = parseCompound(rest, isChild)
    if (!parsed)
      return {
        fault: `"${rest.slice(0, 40)}" cannot be used here: write names of elements, .class, #id or [attribute="value"]`,
      }
    if ('unknown' in parsed) return { fault: `the attribute ${parsed.unknown} is not supported in selectors` }
    if (++compounds > MAX_COMPOUNDS) return { fault: `a selector is limited to ${MAX_COMPOUNDS} elements` }
    current.push(parsed.compound)
    const [combinator = ''] = /^\s*[>,]?\s*/.exec(parsed.rest) ?? []
    rest = parsed.rest.slice(combinator.length)
    isChild = combinator.includes('>')
    if (rest === '' && combinator.trim() !== '') return fault
    if (combinator.includes(',')) {
      selectors.push(current)
      current = []
    }
  }
  if (current.length > 0) selectors.push(current)
  return selectors.length > 0 ? selectors : fault
}

function parseCompound(
  text: string,
  isChild: boolean,
): { compound: Compound; rest: string } | { unknown: string } | undefined {
  const name = NAME.exec(text)?.[0] ?? ''
  let rest = text.slice(name.length)
  const attributes: AttributeTest[] = []
  for (let part = PART.exec(rest); part; part = PART.exec(rest)) {
    const [whole, sign, word = '', attribute = '', operator, ...values] = part
    rest = rest.slice(whole.length)
    if (sign) attributes.push({ key: sign === '#' ? 'id' : 'class', operator: sign === '#' ? '=' : '~=', value: word })
    else {
      const key = attributeKey(attribute.toLowerCase(), 0, attribute.length)
      if (key === undefined) return { unknown: attribute }
      const value = values.find((one) => one !== undefined) ?? ''
      attributes.push({ key, operator: (operator as AttributeTest['operator'] | undefined) ?? 'exists', value })
    }
  }
  if (name === '' && attributes.length === 0) return undefined
  const element = name === '*' || name === '' ? {} : { name: elementName(name.toLowerCase()) }
  return { compound: { ...element, attributes, isChild }, rest }
}

/** The root of a page represents its body. */
function elementName(name: string): string {
  return name === 'body' || name === 'html' ? '#page' : name
}
