/** The registrable domain of an address: the unit in which we are polite. */
import { getDomain } from 'tldts'
import type { WebAddress } from '../model/index.ts'

/**
 * `https://news.example.co.uk/feed` -> `example.co.uk`; an IP address or a bare host name stands for itself. Hosting
 * platforms count as one root (`anna.github.io` -> `github.io`): it is their server that answers.
 */
export function rootOf(url: WebAddress): string {
  return rootOfHost(new URL(url).hostname)
}

export function rootOfHost(hostname: string): string {
  return getDomain(hostname) ?? hostname
}
