/**
 * Icons of feeds' sites for feed readers, which want them as text in JSON. They are the pictures that our own page shows, fetched by us once for
 * all. A protocol that asks for all icons at once is given those that are at hand, and some more are fetched for the next time.
 */

import { iconAddress } from '../../views/index.ts'
import type { Pictures } from '../pictures/pictures.ts'
import { Problem } from '../problem.ts'
import type { FollowedFeed } from './shelf.ts'

/** Larger ones are no icons. */
const LARGEST = 100_000
/** Of all that are given at once, and how many sites are asked for more. */
const MOST_BYTES = 2_000_000
const FETCHED_MEANWHILE = 16
const COME_AGAIN_SECONDS = 5

export interface Icon {
  type: string
  /** As these protocols write it: the type, and its bytes in base64. */
  data: string
}

export async function iconFor({ feed }: FollowedFeed, pictures: Pictures | undefined): Promise<Icon> {
  const found = await pictures?.get(iconAddress(feed))
  if (found?.kind === 'busy')
    throw new Problem(429, 'many icons are being fetched', 'come again in a moment', COME_AGAIN_SECONDS)
  if (found?.kind !== 'picture' || found.body.length > LARGEST)
    throw new Problem(404, 'its site has no icon', 'show one of your own')
  return iconOfPicture(found)
}

export function iconsAtHand(
  feeds: readonly FollowedFeed[],
  pictures: Pictures | undefined,
): { feed: FollowedFeed; icon: Icon }[] {
  const icons: { feed: FollowedFeed; icon: Icon }[] = []
  let [bytes, fetched] = [0, 0]
  for (const feed of pictures ? feeds : []) {
    const url = iconAddress(feed.feed)
    const found = pictures!.atHand(url)
    if (!found && fetched++ < FETCHED_MEANWHILE) pictures!.get(url).catch(() => {}) // told when it is asked for by itself
    if (found?.kind !== 'picture' || found.body.length > LARGEST) continue
    bytes += found.body.length
    if (bytes > MOST_BYTES) break
    icons.push({ feed, icon: iconOfPicture(found) })
  }
  return icons
}

function iconOfPicture({ type, body }: { type: string; body: Uint8Array }): Icon {
  return { type, data: `${type};base64,${Buffer.from(body).toString('base64')}` }
}
