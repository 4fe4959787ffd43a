/** Converts the body of an edit request to a `FeedEdit`. */
import type { z } from '@hono/zod-openapi'
import type { Operations } from '../../api/index.ts'
import type { FeedEdit } from '../../crawl/index.ts'
import { parseUserAddress } from '../../feeds/index.ts'
import { withoutCredentials } from '../../model/index.ts'
import { strategyError } from '../../scheduling/index.ts'
import { Problem } from '../problem.ts'

type FeedEditInput = Omit<
  z.output<Operations['editFeed']['request']['body']['content']['application/json']['schema']>,
  'fetching'
>

export function parseFeedEdit({ state, url, ...fields }: FeedEditInput): {
  state?: 'active' | 'paused'
  edit: FeedEdit
} {
  const edit = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as FeedEdit
  const problem = edit.strategy === undefined ? undefined : strategyError(edit.strategy)
  if (problem) throw new Problem(400, problem.message, problem.hint)
  if (url !== undefined) {
    const address = parseUserAddress(url)
    if (address === undefined)
      throw new Problem(400, `"${withoutCredentials(url)}" is not a web address`, 'send one with https://')
    const { credentials = address.credentials } = edit
    Object.assign(edit, address, credentials !== undefined && { credentials })
  }
  return { ...(state && { state }), edit }
}
