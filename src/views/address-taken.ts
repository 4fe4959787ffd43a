/** What people are told who want a feed to have the address, or the name, of another: the sentence, and what they can do. */
import type { AddressTaken } from '../crawl/index.ts'

export function addressTakenMessage({ by, name: called }: AddressTaken): [message: string, hint: string] {
  const name = by.title ? `feed ${by.id}, ${by.title},` : `feed ${by.id}`
  if (called)
    return [
      `${name} is called ${called} already; nothing was changed`,
      'choose another name, or give the other one another',
    ]
  return [
    `${name} has the address ${by.url} already; nothing was changed`,
    `remove one of the two; freshet show ${by.id} tells of the other`,
  ]
}
