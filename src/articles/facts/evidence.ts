/** All that a page says about itself, laid out so that each fact can be looked for in each place. */
import type { Page } from '../page/piece.ts'
import { type LinkedData, readJsonLd } from './json-ld.ts'
import { type MetaTags, readMetaTags } from './meta-tags.ts'
import { type Microdata, readMicrodata } from './microdata.ts'

export interface PageEvidence {
  /** As it came: scripts leave nothing behind in the page. */
  html: string
  page: Page
  metas: MetaTags
  linkedData: LinkedData
  microdata: Microdata
  /** The page's address; absent when it is none. */
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

/** An address without what differs between two addresses of one page. */
function samePage(url: string): string {
  return url
    .slice(0, 2_000)
    .replace(/[?#].*$/s, '')
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/\/+$/, '')
    .toLowerCase()
}
