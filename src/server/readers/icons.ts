/**
 * Icons of feeds' sites for feed readers, which want them as text in JSON: the pictures that our own page shows. A client that asks for all
 * icons at once gets those in the cache, and a few others are fetched for its next request.
 */
import type { FollowedFeed } from '../../model/index.ts'
import { siteIcon } from '../../views/index.ts'
import type { ImageProxy } from '../image-proxy/image-proxy.ts'
import { Problem } from '../problem.ts'

const MAX_ICON_BYTES = 100_000
/** Of one response. */
const MAX_RESPONSE_BYTES = 2_000_000
const MAX_FETCHED = 16
const RETRY_AFTER_SECONDS = 5

export interface Icon {
  type: string
  /** The type, and the bytes in base64. */
  data: string
}

export async function iconFor(feed: FollowedFeed, pictures: ImageProxy | undefined): Promise<Icon> {
  return iconOfPicture(await pictureOfSite(feed, pictures))
}

/** Throws a Problem if the site has none. */
export async function pictureOfSite(feed: Pick<FollowedFeed, 'url' | 'siteUrl'>, pictures: ImageProxy | undefined) {
  const found = await pictures?.get(siteIcon(feed))
  if (found?.kind === 'busy')
    throw new Problem(429, 'too many icons are being fetched', 'retry in a moment', RETRY_AFTER_SECONDS)
  if (found?.kind !== 'picture' || found.body.length > MAX_ICON_BYTES)
    throw new Problem(404, 'the site has no icon', 'show a default icon')
  return found
}

export function cachedIcons(
  feeds: readonly FollowedFeed[],
  pictures: ImageProxy | undefined,
): { feed: FollowedFeed; icon: Icon }[] {
  const icons: { feed: FollowedFeed; icon: Icon }[] = []
  let [bytes, fetched] = [0, 0]
  for (const feed of pictures ? feeds : []) {
    const wanted = siteIcon(feed)
    const found = pictures!.getCached(wanted)
    if (!found && fetched++ < MAX_FETCHED) pictures!.get(wanted).catch(() => {}) // a request for this icon alone gets the error
    if (found?.kind !== 'picture' || found.body.length > MAX_ICON_BYTES) continue
    bytes += found.body.length
    if (bytes > MAX_RESPONSE_BYTES) break
    icons.push({ feed, icon: iconOfPicture(found) })
  }
  return icons
}

function iconOfPicture({ type, body }: { type: string; body: Uint8Array }): Icon {
  return { type, data: `${type};base64,${Buffer.from(body).toString('base64')}` }
}
