/** Previews the feeds of an address. Few run at once, because each takes several requests to the site. */
import type { PreviewShape } from '../api/index.ts'
import { parsePastedAddress } from '../feeds/index.ts'
import { MINUTE, withoutCredentials } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { previewShape } from '../views/index.ts'
import type { DashboardServices } from './dashboard.ts'
import { Problem } from './problem.ts'

/** Throws a Problem if the address is invalid or the preview is not possible. */
export type PreviewAddress = (url: string, signal: AbortSignal) => Promise<PreviewShape>

const MAX_CONCURRENT = 4
const TIMEOUT_MS = 2 * MINUTE
const RETRY_AFTER_SECONDS = 5

interface PreviewParts {
  dashboard?: Pick<DashboardServices, 'discover'>
  catalogue: Catalogue
  closing?: AbortSignal
}

export function createPreviewAddress({ dashboard, catalogue, closing }: PreviewParts): PreviewAddress {
  let inFlight = 0
  return async (url, callerSignal) => {
    const address = parsePastedAddress(url)
    if (!address) throw new Problem(400, `"${withoutCredentials(url)}" is not a web address`, 'send one with https://')
    if (!dashboard) throw new Problem(404, 'this server does not fetch for you', 'use freshet discover')
    if (inFlight >= MAX_CONCURRENT)
      throw new Problem(429, 'several previews are running', 'retry in a moment', RETRY_AFTER_SECONDS)
    inFlight++
    try {
      const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(TIMEOUT_MS), ...(closing ? [closing] : [])])
      return await previewShape(await dashboard.discover(address.url, signal), catalogue)
    } finally {
      inFlight--
    }
  }
}
