/** HTML as a person reads it on a terminal: plain passages, and the addresses of its links below, by number. */
import { htmlToPassages, type Passage, type PassageFormat } from './passages.ts'

export interface Readable {
  passages: Passage[]
  /** The first is number 1. */
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
