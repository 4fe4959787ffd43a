/** The version from package.json, and the user agent. */
import { readFileSync } from 'node:fs'

/** The folder of the package, relative to both src/app and dist/app. */
export const PACKAGE_FOLDER = new URL('../../', import.meta.url)

const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')) as {
  version: string
  homepage: string
}

export const VERSION = manifest.version

/**
 * The contact page in the user agent, unless the operator sets `--contact`. The homepage in package.json is a reserved name until the
 * project has a domain, so that complaints of publishers do not go to a stranger.
 */
export const CONDUCT_PAGE = `${manifest.homepage}/conduct`

/** Whom push services can write to: they require an https or mailto address. */
export function pushContact({ contact, publicUrl }: { contact: string; publicUrl: string }): string {
  return (
    [contact === CONDUCT_PAGE ? '' : contact, publicUrl].find((url) => /^(https:|mailto:)/.test(url)) ?? CONDUCT_PAGE
  )
}

/** `Freshet/0.1.0 (+https://example.org/about-our-crawl)` */
export function userAgent(contact: string): string {
  return contact ? `Freshet/${VERSION} (+${contact})` : `Freshet/${VERSION}`
}
