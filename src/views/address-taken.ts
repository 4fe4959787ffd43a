/** The error message and hint for an edit that gives a feed the address or the name of another feed. */
import type { AddressTaken } from '../crawl/index.ts'

export function addressTakenMessage({ by, name: called }: AddressTaken): [message: string, hint: string] {
  const name = by.title ? `feed ${by.id}, ${by.title},` : `feed ${by.id}`
  if (called)
    return [
      `${name} is already called ${called}; nothing was changed`,
      'choose another name, or rename the other feed first',
    ]
  return [
    `${name} already has the address ${by.url}; nothing was changed`,
    `remove one of the two feeds; freshet show ${by.id} shows the other one`,
  ]
}
