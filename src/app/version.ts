/** Who we are: the version of package.json, and the name under which publishers meet us. */
import { readFileSync } from 'node:fs'

/** The package's folder, seen from src/app and from dist/app alike. */
export const PACKAGE_FOLDER = new URL('../../', import.meta.url)

const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')) as {
  version: string
  homepage: string
}

export const VERSION = manifest.version

/**
 * What publishers find behind the user agent, unless whoever runs the crawl has a page of his own (`--contact`). The home in
 * package.json is a reserved name until the project has an address, and leads nowhere: no stranger shall get our publishers' letters.
 */
export const CONDUCT_PAGE = `${manifest.homepage}/conduct`

/** `Freshet/0.1.0 (+https://example.org/about-our-crawl)` */
export function userAgent(contact: string): string {
  return contact ? `Freshet/${VERSION} (+${contact})` : `Freshet/${VERSION}`
}
