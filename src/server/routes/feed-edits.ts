/** What a person sends to change a feed, as the crawl takes it. */
import type { z } from '@hono/zod-openapi'
import type { Operations } from '../../api/index.ts'
import type { FeedEdit } from '../../crawl/index.ts'
import { givenAddress } from '../../feeds/index.ts'
import { withoutCredentials } from '../../model/index.ts'
import { troubleWithStrategy } from '../../scheduling/index.ts'
import { Problem } from '../problem.ts'

type FeedEditInput = z.output<Operations['editFeed']['request']['body']['content']['application/json']['schema']>

export function parseFeedEdit({ state, url, ...given }: FeedEditInput): {
  state?: 'active' | 'paused'
  edit: FeedEdit
} {
  const edit = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as FeedEdit
  const trouble = edit.strategy === undefined ? undefined : troubleWithStrategy(edit.strategy)
  if (trouble) throw new Problem(400, trouble.message, trouble.hint)
  if (url !== undefined) {
    const address = givenAddress(url)
    if (address === undefined)
      throw new Problem(400, `"${withoutCredentials(url)}" is not a web address`, 'send one with https://')
    const { credentials = address.credentials } = edit
    Object.assign(edit, address, credentials !== undefined && { credentials })
  }
  return { ...(state && { state }), edit }
}
