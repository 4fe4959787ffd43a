/**
 * Whose server an address is: the unit in which we are polite. A root has one pause; on a hosting platform, which is one
 * root, each tenant has troubles and wishes of its own.
 */
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

/**
 * As `rootOf`, but each tenant of a hosting platform for itself (`https://www.anna.github.io/feed` -> `anna.github.io`): what
 * one of them asks for, or suffers, is nothing to the others. By the private part of the public suffix list.
 */
export function tenantOf(url: WebAddress): string {
  const { hostname } = new URL(url)
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
}

/** The doors on the way to a tenant: the platform's, and its own. For most they are one. */
export function doorsOf(tenant: string): string[] {
  const root = rootOfHost(tenant)
  return root === tenant ? [root] : [root, tenant]
}
