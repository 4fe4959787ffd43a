/** Gathers all metadata of a page, so that each fact can be looked up in each place. */
import type { Page } from '../page/piece.ts'
import { type LinkedData, readJsonLd } from './json-ld.ts'
import { type MetaTags, readMetaTags } from './meta-tags.ts'
import { type Microdata, readMicrodata } from './microdata.ts'

export interface PageEvidence {
  /** The raw page: the parsed page has no scripts. */
  html: string
  page: Page
  metas: MetaTags
  linkedData: LinkedData
  microdata: Microdata
  /** The page's URL; absent if invalid. */
  address: URL | undefined
}

export function gatherEvidence(html: string, page: Page, url: string): PageEvidence {
  const address = URL.parse(url) ?? undefined
  const own = address && samePage(address.href)
  return {
    html,
    page,
    metas: readMetaTags(page.metas),
    linkedData: readJsonLd(page.jsonLd, (other) => own !== undefined && samePage(other) === own),
    microdata: readMicrodata(page),
    address,
  }
}

/** The URL without parts that may differ between URLs of one page. */
function samePage(url: string): string {
  return url
    .slice(0, 2_000)
    .replace(/[?#].*$/s, '')
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/\/+$/, '')
    .toLowerCase()
}
