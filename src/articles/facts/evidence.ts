/** Gathers all metadata of a page, so that each fact can be looked up in each place. */
import type { Page } from '../page/page-node.ts'
import { type LinkedData, readJsonLd } from './json-ld.ts'
import { type MetaTags, readMetaTags } from './meta-tags.ts'
import { type Microdata, readMicrodata } from './microdata.ts'

export interface PageMetadata {
  /** The raw page: the parsed page has no scripts. */
  html: string
  page: Page
  metas: MetaTags
  linkedData: LinkedData
  microdata: Microdata
  /** The page's URL; absent if invalid. */
  address: URL | undefined
}

export function readMetadata(html: string, page: Page, url: string): PageMetadata {
  const address = URL.parse(url) ?? undefined
  const ownAddress = address && comparableUrl(address.href)
  return {
    html,
    page,
    metas: readMetaTags(page.metas),
    linkedData: readJsonLd(
      page.jsonLd,
      (otherUrl) => ownAddress !== undefined && comparableUrl(otherUrl) === ownAddress,
    ),
    microdata: readMicrodata(page),
    address,
  }
}

/** The URL without parts that may differ between URLs of one page. */
function comparableUrl(url: string): string {
  return url
    .slice(0, 2_000)
    .replace(/[?#].*$/s, '')
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/\/+$/, '')
    .toLowerCase()
}
