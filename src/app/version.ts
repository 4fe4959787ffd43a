/** Who we are: the version of package.json, and the name under which publishers meet us. */
import { readFileSync } from 'node:fs'

/** The package's folder, seen from src/app and from dist/app alike. */
export const PACKAGE_FOLDER = new URL('../../', import.meta.url)

const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')) as {
  version: string
  homepage: string
}

export const VERSION = manifest.version

/** What publishers find behind the user agent, unless whoever runs the crawl has a page of his own. */
export const CONDUCT_PAGE = `${manifest.homepage}/blob/main/docs/conduct.md`

/** `Freshet/0.1.0 (+https://example.org/about-our-crawl)` */
export function userAgent(contact: string): string {
  return contact ? `Freshet/${VERSION} (+${contact})` : `Freshet/${VERSION}`
}
