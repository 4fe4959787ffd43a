/** What a person sends to change a feed: its state, and what FeedEdit names. */
import type { FeedEdit } from '../../crawl/index.ts'
import { givenAddress } from '../../feeds/index.ts'
import { type PagePreference, withoutCredentials } from '../../model/index.ts'
import { troubleWithStrategy } from '../../polling/index.ts'
import { Problem } from '../problem.ts'
import { readCredentials } from './credentials.ts'
import { readWants } from './wants.ts'

const TEXTS = ['title', 'folder', 'titlePrefix', 'strategy'] as const
const LONGEST = 2000
const MOST_SUBSCRIBERS = 1_000_000_000

const KNOWN: string[] = ['state', 'wants', 'subscribers', 'articles', 'url', 'credentials', ...TEXTS]

export const EXPECTED_EDIT = `send an object with any of: ${KNOWN.join(', ')}`

export function readEdit(body: Record<string, unknown>): { state?: 'active' | 'paused'; edit: FeedEdit } {
  const unknown = Object.keys(body).find((name) => !KNOWN.includes(name))
  if (unknown !== undefined) throw new Problem(400, `a feed has no "${unknown}" to change`, EXPECTED_EDIT)
  if (Object.keys(body).length === 0) throw new Problem(400, 'there is nothing to change', EXPECTED_EDIT)

  const { state } = body
  if (state !== undefined && state !== 'active' && state !== 'paused')
    throw new Problem(400, 'the state makes no sense', 'send {"state": "paused"} or {"state": "active"}')
  const { subscribers } = body
  if (subscribers !== undefined && !isCount(subscribers))
    throw new Problem(400, 'subscribers is not a number of people', `send a whole number from 1 to ${MOST_SUBSCRIBERS}`)
  const edit: FeedEdit = { ...(subscribers !== undefined && { subscribers }) }
  for (const name of TEXTS) {
    const value = textIn(body, name)
    if (value !== undefined) edit[name] = value
  }
  const trouble = edit.strategy === undefined ? undefined : troubleWithStrategy(edit.strategy)
  if (trouble) throw new Problem(400, trouble.message, trouble.hint)
  const written = textIn(body, 'url')
  if (written !== undefined) {
    const given = givenAddress(written)
    if (given === undefined)
      throw new Problem(400, `"${withoutCredentials(written)}" is no address of the web`, 'send one with https://')
    Object.assign(edit, given)
  }
  if (body.credentials !== undefined)
    edit.credentials = body.credentials === null ? null : readCredentials(body.credentials)
  if (body.wants !== undefined) edit.wants = readWants(body.wants)
  if (body.articles !== undefined) edit.articles = readPreference(body.articles)
  return { ...(state && { state }), edit }
}

function textIn(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.length > LONGEST)
    throw new Problem(400, `${name} is not a text`, EXPECTED_EDIT)
  return value
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST_SUBSCRIBERS
}

function readPreference(given: unknown): PagePreference | '' {
  if (given === 'auto' || given === 'always' || given === 'never' || given === '') return given
  throw new Problem(400, 'articles makes no sense', 'send "auto", "always", "never", or "" for the general setting')
}
