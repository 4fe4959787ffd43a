/** A user's positions in recordings, restricted to entries that they see. Stored as user values, by entry id. */
import type { PlaybackShape } from '../api/index.ts'
import { type EntryId, type Instant, MINUTE, SECOND, type UserId } from '../model/index.ts'
import type { UserValue, UserValues } from '../ports/index.ts'
import type { Catalogues } from './entry-texts.ts'
import { entriesWithTitles } from './find-entries.ts'
import { isoDate } from './shapes/values.ts'

export interface PlaybackPosition {
  positionSeconds: number
  durationSeconds?: number | undefined
}

export interface PlaybackQuery {
  state?: 'started' | 'finished' | undefined
  /** With the entries. */
  hasEntries: boolean
  changedBefore?: Instant | undefined
  limit: number
}

type PlaybackStores = Catalogues & { userValues: UserValues }

const FINISHED_SECONDS = (MINUTE / SECOND) * 0.5
const FINISHED_SHARE = 0.05

/** Positions that are left out by `state`, or whose entries are gone, make a page shorter. */
export async function playbackPositions(
  userId: UserId,
  { state, hasEntries, changedBefore, limit }: PlaybackQuery,
  stores: PlaybackStores,
): Promise<{ playback: PlaybackShape[]; nextBefore?: Instant }> {
  const before = changedBefore === undefined ? {} : { changedBefore }
  const values = await stores.userValues.userValues(userId, 'playback', { ...before, limit })
  const shapes = values
    .map(playbackShape)
    .filter(({ finished }) => state === undefined || (state === 'finished') === (finished === true))
  const ids = shapes.map(({ entryId }) => entryId as EntryId)
  const last = values.length === limit ? values.at(-1) : undefined
  const nextBefore = last && { nextBefore: last.changedAt }
  if (!hasEntries) {
    const feeds = await stores.catalogue.feedsOfEntries(ids)
    return { playback: shapes.filter((_, i) => feeds[i] !== undefined), ...nextBefore }
  }
  const entries = (await stores.catalogue.entriesById(ids)).filter((entry) => entry !== undefined)
  const shown = await entriesWithTitles(entries, stores, { reader: userId, withExcerpts: true })
  const byId = new Map(shown.map((entry) => [entry.id, entry]))
  return {
    playback: shapes.flatMap((shape) => {
      const entry = byId.get(shape.entryId)
      return entry ? [{ ...shape, entry }] : []
    }),
    ...nextBefore,
  }
}

/** Undefined if the user sees no such entry. */
export async function savePlayback(
  userId: UserId,
  id: EntryId,
  { positionSeconds, durationSeconds }: PlaybackPosition,
  at: Instant,
  { catalogue, userValues }: Pick<PlaybackStores, 'catalogue' | 'userValues'>,
): Promise<PlaybackShape | undefined> {
  const [feedId] = await catalogue.feedsOfEntries([id])
  if (feedId === undefined) return undefined
  const value = { positionSeconds, ...(durationSeconds !== undefined && { durationSeconds }) }
  const key = String(id)
  await userValues.putUserValues(userId, 'playback', [{ key, value: positionSeconds === 0 ? undefined : value }], at)
  return playbackShape({ key, value, changedAt: at })
}

function playbackShape({ key, value, changedAt }: UserValue): PlaybackShape {
  const { positionSeconds, durationSeconds } = value as PlaybackPosition
  const left = durationSeconds === undefined ? Number.POSITIVE_INFINITY : durationSeconds - positionSeconds
  const isFinished = left < Math.min(FINISHED_SECONDS, (durationSeconds ?? 0) * FINISHED_SHARE)
  return {
    entryId: Number(key),
    positionSeconds,
    ...(durationSeconds !== undefined && { durationSeconds }),
    ...(isFinished && { finished: true as const }),
    updatedAt: isoDate(changedAt),
  }
}
