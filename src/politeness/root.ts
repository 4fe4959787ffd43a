/**
 * Whose server an address is: the unit in which we are polite. A root has one pause; on a hosting platform, which is one
 * root, each tenant has troubles and wishes of its own.
 */
import { getDomain } from 'tldts'
import type { WebAddress } from '../model/index.ts'

/** Asked for several times on the way of a poll, and looked up once: to find it in the list of suffixes takes longer. */
const MOST_REMEMBERED = 2000

/**
 * `https://news.example.co.uk/feed` -> `example.co.uk`; an IP address or a bare host name stands for itself. Hosting
 * platforms count as one root (`anna.github.io` -> `github.io`): it is their server that answers.
 */
export function rootOf(url: WebAddress): string {
  return rootOfHost(hostOf(url))
}

export const rootOfHost = remembering((hostname: string) => getDomain(hostname) ?? hostname)

/**
 * As `rootOf`, but each tenant of a hosting platform for itself (`https://www.anna.github.io/feed` -> `anna.github.io`): what
 * one of them asks for, or suffers, is nothing to the others. By the private part of the public suffix list.
 */
export function tenantOf(url: WebAddress): string {
  return tenantOfHost(hostOf(url))
}

/** The doors on the way to a tenant: the platform's, and its own. For most they are one. */
export function doorsOf(tenant: string): string[] {
  const root = rootOfHost(tenant)
  return root === tenant ? [root] : [root, tenant]
}

const hostOf = remembering((url: WebAddress) => new URL(url).hostname)
const tenantOfHost = remembering((hostname: string) => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname)

/** The same answers, the latest of them from memory. */
function remembering<Question extends string>(find: (question: Question) => string): (question: Question) => string {
  const answers = new Map<Question, string>()
  return (question) => {
    const known = answers.get(question)
    if (known !== undefined) return known
    const found = find(question)
    if (answers.size >= MOST_REMEMBERED) answers.clear()
    answers.set(question, found)
    return found
  }
}
