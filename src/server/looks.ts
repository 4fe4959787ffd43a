/** Looks at what an address leads to, for whoever asks: few at once, for each takes requests and seconds of a stranger's site. */
import type { PreviewShape } from '../api/index.ts'
import { givenAddress } from '../feeds/index.ts'
import { MINUTE, withoutCredentials } from '../model/index.ts'
import type { Catalogue } from '../ports/index.ts'
import { previewOf } from '../views/index.ts'
import type { EngineRoom } from './engine-room.ts'
import { Problem } from './problem.ts'

/** Throws a Problem where it cannot look. */
export type LookAtAddress = (url: string, signal: AbortSignal) => Promise<PreviewShape>

const MOST_AT_ONCE = 4
const LONGEST_MS = 2 * MINUTE
const COME_AGAIN_SECONDS = 5

interface LookParts {
  engineRoom?: Pick<EngineRoom, 'discover'>
  catalogue: Catalogue
  closing?: AbortSignal
}

export function createLook({ engineRoom, catalogue, closing }: LookParts): LookAtAddress {
  let underWay = 0
  return async (url, asked) => {
    const address = givenAddress(url)
    if (!address) throw new Problem(400, `"${withoutCredentials(url)}" is not a web address`, 'send one with https://')
    if (!engineRoom) throw new Problem(404, 'this server does not fetch for you', 'use freshet discover')
    if (underWay >= MOST_AT_ONCE)
      throw new Problem(429, 'several previews are running', 'retry in a moment', COME_AGAIN_SECONDS)
    underWay++
    try {
      const signal = AbortSignal.any([asked, AbortSignal.timeout(LONGEST_MS), ...(closing ? [closing] : [])])
      return await previewOf(await engineRoom.discover(address.url, signal), catalogue)
    } finally {
      underWay--
    }
  }
}
