/** Converts HTML to text for a terminal: plain passages, and numbered URLs of the links below. */
import { htmlToPassages, type Passage, type PassageFormat } from './passages.ts'

export interface Readable {
  passages: Passage[]
  /** Link number 1 comes first. */
  links: string[]
}

export function readableOf(html: string): Readable {
  const numbers = new Map<string, number>()
  const numberOf = (address: string) => {
    const known = numbers.get(address)
    if (known !== undefined) return known
    numbers.set(address, numbers.size + 1)
    return numbers.size
  }
  const hand: PassageFormat = {
    text: (text) => text,
    element: (name, inside, address) =>
      name === 'a' && address ? inside.replace(/\s*$/, (end) => `[${numberOf(address)}]${end}`) : inside,
    image: (alt, address) => ` (picture${alt && `: ${alt}`}[${numberOf(address)}]) `,
    lineBreak: '\n',
  }
  return { passages: htmlToPassages(html, hand), links: [...numbers.keys()] }
}
