/** What can be played: the audio and video of an entry, and where it is loaded from. */
import type { EntryDetailsShape } from '../../src/api/index.ts'
import { pictureOf } from '../reader/pictures.ts'
import { webAddress } from '../shell/format.ts'
import { session } from '../shell/session.svelte.ts'

export interface Recording {
  entryId: number
  /** Of the publisher. */
  url: string
  kind: 'audio' | 'video'
  /** Of the entry. */
  title: string
  feedId: number
  feedTitle: string
  picture: string | undefined
  /** Of the file itself, if the entry has several. */
  name: string | undefined
  durationSeconds: number | undefined
  bytes: number | undefined
}

const MOST_SHOWN = 6

export function recordingsOf(entry: EntryDetailsShape): Recording[] {
  const { id, title, feedId, feedTitle = '', media = [], podcast } = entry
  const playable = media.filter(({ kind, preview, url }) => isPlayable(kind) && !preview && webAddress(url))
  return playable.slice(0, MOST_SHOWN).map((medium) => {
    const durationMs = medium.durationMs ?? podcast?.durationMs
    return {
      entryId: id,
      url: medium.url,
      kind: medium.kind as Recording['kind'],
      title,
      feedId,
      feedTitle,
      picture: pictureOf(entry),
      name: medium.title,
      durationSeconds: durationMs && durationMs / 1000,
      bytes: medium.bytes,
    }
  })
}

const isPlayable = (kind: string): boolean => kind === 'audio' || kind === 'video'

export const isSame = (a: Recording | undefined, b: Recording): boolean => a?.entryId === b.entryId && a.url === b.url

/** The publisher's address, or ours if the server loads recordings. */
export function playableAddress(entryId: number, url: string): string {
  return session.proxiesMedia ? `/api/v1/entries/${entryId}/recording?url=${encodeURIComponent(url)}` : url
}
