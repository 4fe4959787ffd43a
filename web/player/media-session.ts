/** Tells the browser what is playing, for media keys, the lock screen and headphones, and obeys them. */
import { BACK_SECONDS, FORWARD_SECONDS, player } from './player.svelte.ts'

const HANDLERS: Partial<Record<MediaSessionAction, (details: MediaSessionActionDetails) => void>> = {
  play: () => !player.isPlaying && player.toggle(),
  pause: () => player.pause(),
  stop: () => player.close(),
  seekbackward: ({ seekOffset }) => player.skip(-(seekOffset ?? BACK_SECONDS)),
  seekforward: ({ seekOffset }) => player.skip(seekOffset ?? FORWARD_SECONDS),
  seekto: ({ seekTime }) => seekTime !== undefined && player.seek(seekTime),
}

/** Called again whenever something that it reads changes. */
export function updateMediaSession(): void {
  const { mediaSession } = navigator as { mediaSession?: MediaSession }
  if (!mediaSession) return
  const { current, chapters } = player
  setMetadata(mediaSession)
  const hasChapters = chapters.length > 0
  const handlers: typeof HANDLERS = {
    ...HANDLERS,
    ...(hasChapters && { previoustrack: () => player.toChapter(-1), nexttrack: () => player.toChapter(1) }),
    ...(!hasChapters && player.queue.length > 0 && { nexttrack: () => player.next() }),
  }
  for (const action of [...Object.keys(HANDLERS), 'previoustrack', 'nexttrack'] as MediaSessionAction[]) {
    try {
      mediaSession.setActionHandler(action, current ? (handlers[action] ?? null) : null)
    } catch {
      // This browser does not know the action.
    }
  }
}

export function updatePositionState(): void {
  const { mediaSession } = navigator as { mediaSession?: MediaSession }
  const { current, isPlaying, duration, position, speed } = player
  if (!mediaSession) return
  mediaSession.playbackState = current ? (isPlaying ? 'playing' : 'paused') : 'none'
  if (current && duration !== undefined)
    mediaSession.setPositionState({ duration, position: Math.min(position, duration), playbackRate: speed })
  else mediaSession.setPositionState()
}

function setMetadata(mediaSession: MediaSession): void {
  const { current, chapters, chapter } = player
  if (!current) {
    mediaSession.metadata = null
    return
  }
  const { title, feedTitle, picture } = current
  const artwork = [{ src: new URL(picture ?? '/icon-512.png', location.origin).href }]
  mediaSession.metadata = new MediaMetadata({
    title: chapters[chapter]?.title ?? title,
    artist: feedTitle,
    album: title,
    artwork,
  })
}
