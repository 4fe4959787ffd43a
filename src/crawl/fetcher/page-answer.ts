/** Reads answers of the network as pages and lists in which discovery finds further addresses. */
import { decodeText, listedSitemaps } from '../../feeds/index.ts'
import type { WebAddress } from '../../model/index.ts'
import { isSameTenant } from '../../politeness/index.ts'
import type { NetAnswer } from '../../ports/index.ts'

/** A page that is searched for links. */
export interface HtmlPage {
  html: string
  url: WebAddress
}

/** The page as text, if it is small: no list of feeds has megabytes. */
export function pageOf(answer: NetAnswer): HtmlPage | undefined {
  if (!answer.ok || answer.status !== 200 || answer.body.length > LARGEST_LIST) return undefined
  return { html: decodeText(answer.body, answer.headers['content-type']).text, url: answer.url }
}

const LARGEST_LIST = 1_000_000

/** The sitemaps in a list of sitemaps, the most likely first. */
export function sitemapsIn(page: HtmlPage | undefined): WebAddress[] {
  return page ? listedSitemaps({ text: page.html, url: page.url }, isSameTenant) : []
}
