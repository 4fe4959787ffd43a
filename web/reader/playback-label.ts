/** How far a recording was played, in words: "24 min left", "Played". */
import type { PlaybackShape } from '../../src/api/index.ts'
import { duration } from '../shell/format.ts'
import { words } from '../words.ts'

export function playbackLabel(playback: PlaybackShape | undefined): string | undefined {
  if (!playback) return undefined
  const { finished, durationSeconds, positionSeconds } = playback
  if (finished) return words.player.finished
  return durationSeconds === undefined
    ? words.player.started
    : words.player.left({ time: duration(Math.max(1, durationSeconds - positionSeconds) * 1000) })
}
