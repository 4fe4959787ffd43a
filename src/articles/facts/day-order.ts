/**
 * Detects the order of 5/6/2024: in America the month comes first, elsewhere the day. Unambiguous dates on the page are the
 * best evidence; otherwise the country decides, by the domain before the language, because "en-US" is often an unchanged
 * default.
 */
import type { DayOrder } from '../dates/parse-page-date.ts'
import type { Block } from '../main/blocks.ts'
import type { PageMetadata } from './evidence.ts'

export function detectDayOrder(evidence: PageMetadata, blocks: readonly Block[]): DayOrder {
  return orderOfOthers(blocks) ?? orderOfCountry(evidence)
}

/** The order of the unambiguous dates, if they agree: 25/12/2024 or 12/25/2024. */
function orderOfOthers(blocks: readonly Block[]): DayOrder | undefined {
  const orders = new Set<DayOrder>()
  for (const { text } of blocks.slice(0, MAX_BLOCKS)) {
    for (const [, first, , second] of text.slice(0, MAX_BLOCK_LENGTH).matchAll(NUMERIC)) {
      if (Number(first) > 12 && Number(second) <= 12) orders.add('day-first')
      else if (Number(second) > 12 && Number(first) <= 12) orders.add('month-first')
    }
  }
  return orders.size === 1 ? [...orders][0] : undefined
}

const MAX_BLOCKS = 2_000
const MAX_BLOCK_LENGTH = 1_000
const NUMERIC = /(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(?:19|20)\d\d(?!\d)/g

function orderOfCountry({ html, page, metas, linkedData, address }: PageMetadata): DayOrder {
  const stated = [page.language, metas.first('og:locale')?.value, metas.first('content-language', 'language')?.value]
  const inLanguage = linkedData.article?.inLanguage
  if (typeof inLanguage === 'string') stated.push(inLanguage)
  const tags = stated.flatMap((tag) => (tag ? [tag.trim().replace('_', '-').toLowerCase()] : []))
  if (tags.some((tag) => MONTH_FIRST.test(tag) && !/^en-us$/.test(tag))) return 'month-first'
  const domain = address?.hostname.split('.').at(-1) ?? ''
  if (domain === 'us' || domain === 'gov' || domain === 'mil') return 'month-first'
  const isCountry = domain.length === 2 && !WORLDWIDE.has(domain)
  if (isCountry || tags.some((tag) => !/^en(?:-us)?$/.test(tag))) return 'day-first'
  if (tags.includes('en-us')) return 'month-first'
  const isAmerican = AMERICAN.test(domain) || WORLDWIDE.has(domain)
  // prices in pounds and none in dollars: British
  return isAmerican && !(/£|&pound;/.test(html) && !/\$\d/.test(html)) ? 'month-first' : 'day-first'
}

const MONTH_FIRST = /^(?:en|es)-(?:us|pr)$|^(?:en|fil|tl)-ph$|^(?:fil|tl)$/

const AMERICAN = /^(?:com|org|net|edu|dev)$/

/** Country domains that are used worldwide. */
const WORLDWIDE: ReadonlySet<string> = new Set('ai cc co fm gg io la ly me sh so to tv ws xyz'.split(' '))
