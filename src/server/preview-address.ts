/** Looks at what an address leads to, for whoever asks: few at once, for each takes requests and seconds of a stranger's site. */
import type { PreviewShape } from '../api/index.ts'
import { givenAddress } from '../feeds/index.ts'
import { MINUTE, withoutCredentials } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { previewShape } from '../views/index.ts'
import type { DashboardServices } from './dashboard.ts'
import { Problem } from './problem.ts'

/** Throws a Problem where it cannot look. */
export type PreviewAddress = (url: string, signal: AbortSignal) => Promise<PreviewShape>

const MOST_AT_ONCE = 4
const LONGEST_MS = 2 * MINUTE
const COME_AGAIN_SECONDS = 5

interface PreviewParts {
  dashboard?: Pick<DashboardServices, 'discover'>
  catalogue: Catalogue
  closing?: AbortSignal
}

export function createPreviewAddress({ dashboard, catalogue, closing }: PreviewParts): PreviewAddress {
  let underWay = 0
  return async (url, asked) => {
    const address = givenAddress(url)
    if (!address) throw new Problem(400, `"${withoutCredentials(url)}" is not a web address`, 'send one with https://')
    if (!dashboard) throw new Problem(404, 'this server does not fetch for you', 'use freshet discover')
    if (underWay >= MOST_AT_ONCE)
      throw new Problem(429, 'several previews are running', 'retry in a moment', COME_AGAIN_SECONDS)
    underWay++
    try {
      const signal = AbortSignal.any([asked, AbortSignal.timeout(LONGEST_MS), ...(closing ? [closing] : [])])
      return await previewShape(await dashboard.discover(address.url, signal), catalogue)
    } finally {
      underWay--
    }
  }
}
