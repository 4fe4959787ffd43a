/**
 * Which server an address belongs to. A root has one request gap; on a hosting platform, which is one root, each tenant has its own
 * incidents and pauses.
 */
import { getDomain } from 'tldts'
import type { WebAddress } from '../model/index.ts'

/** Addresses are looked up several times per poll, and searching the public suffix list is slow. */
const MAX_CACHED = 2000

/**
 * `https://news.example.co.uk/feed` -> `example.co.uk`; IP addresses and bare host names are unchanged. A hosting platform is one root
 * (`anna.github.io` -> `github.io`), because its servers answer.
 */
export function rootOf(url: WebAddress): string {
  return rootOfHost(hostOf(url))
}

export const rootOfHost = cachedLookup((hostname: string) => getDomain(hostname) ?? hostname)

/**
 * Like `rootOf`, but separate for each tenant of a hosting platform (`https://www.anna.github.io/feed` -> `anna.github.io`), using the
 * private part of the public suffix list.
 */
export function tenantOf(url: WebAddress): string {
  return tenantOfHost(hostOf(url))
}

/** The slots that a request to a tenant needs: the platform's and its own. For most they are the same. */
export function hostSlotsOf(tenant: string): string[] {
  const root = rootOfHost(tenant)
  return root === tenant ? [root] : [root, tenant]
}

/** Whether two host names belong to one tenant. */
export function isSameTenant(a: string, b: string): boolean {
  return tenantOfHost(a) === tenantOfHost(b)
}

const hostOf = cachedLookup((url: WebAddress) => new URL(url).hostname)
const tenantOfHost = cachedLookup((hostname: string) => getDomain(hostname, { allowPrivateDomains: true }) ?? hostname)

/** Caches the latest results. */
function cachedLookup<Key extends string>(find: (key: Key) => string): (question: Key) => string {
  const cache = new Map<Key, string>()
  return (question) => {
    const cached = cache.get(question)
    if (cached !== undefined) return cached
    const found = find(question)
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(question, found)
    return found
  }
}
