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
    const existing = numbers.get(address)
    if (existing !== undefined) return existing
    numbers.set(address, numbers.size + 1)
    return numbers.size
  }
  const format: PassageFormat = {
    text: (text) => text,
    element: (name, inside, address) =>
      name === 'a' && address ? inside.replace(/\s*$/, (end) => `[${numberOf(address)}]${end}`) : inside,
    image: (alt, address) => ` (picture${alt && `: ${alt}`}[${numberOf(address)}]) `,
    lineBreak: '\n',
  }
  return { passages: htmlToPassages(html, format), links: [...numbers.keys()] }
}
