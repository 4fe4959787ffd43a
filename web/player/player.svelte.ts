/**
 * Plays one recording at a time, whatever view is shown. Owns an audio and a video element: the video is moved between the article it
 * belongs to and the floating pane, which does not interrupt it. Speed and volume are remembered in this browser.
 */
import { untrack } from 'svelte'
import { words } from '../words.ts'
import { type Chapter, chapterAt, chaptersOf } from './chapters.ts'
import { positions } from './positions.svelte.ts'
import { isSame, playableAddress, type Recording } from './recording.ts'

export const SPEEDS = [0.8, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3]
/** Minutes. */
export const SLEEP_MINUTES = [5, 10, 15, 30, 45, 60]
export const BACK_SECONDS = 15
export const FORWARD_SECONDS = 30
const KEY = 'freshet.player'
const MOST_QUEUED = 100
/** "Previous chapter" within these seconds of a chapter goes to the one before. */
const CHAPTER_START_SECONDS = 3

export type Sleep = 'off' | 'end' | number

class Player {
  current = $state.raw<Recording | undefined>()
  isPlaying = $state(false)
  isLoading = $state(false)
  position = $state(0)
  /** Undefined until it is known. */
  duration = $state<number | undefined>()
  problem = $state('')
  chapters = $state.raw<readonly Chapter[]>([])
  /** What plays next. */
  queue = $state.raw<readonly Recording[]>([])
  speed = $state(1)
  volume = $state(1)
  sleep = $state<Sleep>('off')
  /** The video is shown in its article, not in the floating pane. */
  isInArticle = $state(false)
  readonly chapter = $derived(chapterAt(this.chapters, this.position))

  readonly video = document.createElement('video')
  readonly #audio = document.createElement('audio')
  #floating: HTMLElement | undefined
  #resumeAt = 0
  #sleepTimer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    const { speed, volume } = remembered()
    this.speed = speed
    this.volume = volume
    for (const element of [this.#audio, this.video]) this.#listen(element)
    this.video.playsInline = true
    const save = () => this.#save(true)
    document.addEventListener('visibilitychange', () => document.hidden && save())
    addEventListener('pagehide', save)
  }

  get #element(): HTMLMediaElement {
    return this.current?.kind === 'video' ? this.video : this.#audio
  }

  /** Plays from `seconds`, else from where the user stopped. */
  play(recording: Recording, seconds?: number): void {
    this.queue = this.queue.filter((queued) => !isSame(queued, recording))
    if (isSame(this.current, recording)) {
      if (seconds !== undefined) this.seek(seconds)
    } else this.#load(recording, seconds ?? positions.resumeAt(recording.entryId))
    this.#start()
  }

  toggle(): void {
    if (this.isPlaying) this.pause()
    else this.#start()
  }

  pause(): void {
    this.#element.pause()
  }

  seek(seconds: number): void {
    const to = Math.max(0, Math.min(seconds, (this.duration ?? Number.POSITIVE_INFINITY) - 0.1))
    this.position = to
    if (this.#element.readyState > 0) this.#element.currentTime = to
    else this.#resumeAt = to
  }

  skip(bySeconds: number): void {
    this.seek(this.position + bySeconds)
  }

  /** To the next chapter, or the start of this one or the one before. */
  toChapter(step: 1 | -1): void {
    const start = this.chapters[this.chapter]?.startSeconds ?? 0
    const isAtStart = this.position - start < CHAPTER_START_SECONDS
    const target = this.chapters[this.chapter + (step === 1 ? 1 : isAtStart ? -1 : 0)]
    if (target) this.seek(target.startSeconds)
    else if (step === -1) this.seek(0)
  }

  setSpeed(speed: number): void {
    this.speed = speed
    for (const element of [this.#audio, this.video]) element.playbackRate = speed
    this.#remember()
  }

  changeSpeed(step: 1 | -1): void {
    const at = SPEEDS.findIndex((speed) => speed >= this.speed)
    this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + step))] ?? 1)
  }

  setVolume(volume: number): void {
    this.volume = volume
    for (const element of [this.#audio, this.video]) element.volume = volume
    this.#remember()
  }

  setSleep(sleep: Sleep): void {
    this.sleep = sleep
    clearTimeout(this.#sleepTimer)
    if (typeof sleep !== 'number') return
    this.#sleepTimer = setTimeout(() => {
      this.sleep = 'off'
      this.pause()
    }, sleep * 60_000)
  }

  playNext(recording: Recording): void {
    this.#enqueue([recording, ...this.#without(recording)])
  }

  addToQueue(recording: Recording): void {
    this.#enqueue([...this.#without(recording), recording])
  }

  removeFromQueue(recording: Recording): void {
    this.queue = this.#without(recording)
  }

  isQueued(recording: Recording): boolean {
    return this.queue.some((queued) => isSame(queued, recording))
  }

  /** Plays the next of the queue. Returns false if there is none. */
  next(): boolean {
    const [first] = this.queue
    if (first) this.play(first)
    return first !== undefined
  }

  close(): void {
    this.#unload()
    this.current = undefined
    this.queue = []
    this.setSleep('off')
  }

  /** For `{@attach}`: shows the video in this element of its article, as long as the element exists. */
  readonly inArticle = (host: HTMLElement): (() => void) => {
    host.append(this.video)
    this.video.controls = true // in the floating pane, the player's are enough
    untrack(() => (this.isInArticle = true))
    return () => {
      // In the same task, so that the browser does not pause it.
      this.#floating?.append(this.video)
      this.video.controls = false
      untrack(() => (this.isInArticle = false))
    }
  }

  /** For `{@attach}`: the floating pane. */
  readonly floating = (host: HTMLElement): (() => void) => {
    this.#floating = host
    if (!untrack(() => this.isInArticle)) host.append(this.video)
    return () => {
      this.#floating = undefined
    }
  }

  #start(): void {
    this.problem = ''
    // Rejects if it is paused or replaced before it starts, or if the browser wants a click first; failures are events.
    this.#element.play().catch(() => {})
  }

  #load(recording: Recording, from: number): void {
    this.#unload()
    this.current = recording
    this.#resumeAt = from
    this.position = from
    this.duration = recording.durationSeconds
    const element = this.#element
    element.src = playableAddress(recording.entryId, recording.url)
    element.defaultPlaybackRate = this.speed
    element.playbackRate = this.speed
    element.volume = this.volume
    if (element === this.video) this.video.poster = recording.picture ?? ''
    void chaptersOf(recording.entryId).then((chapters) => {
      if (isSame(this.current, recording)) this.chapters = chapters
    })
  }

  /** Saves the position and stops loading. */
  #unload(): void {
    this.#save(true)
    this.problem = ''
    this.chapters = []
    this.isPlaying = false
    this.isLoading = false
    const element = this.#element
    if (!element.src) return
    element.pause()
    element.removeAttribute('src')
    element.load()
  }

  #listen(element: HTMLMediaElement): void {
    const on = (name: keyof HTMLMediaElementEventMap, run: () => void) =>
      element.addEventListener(name, () => {
        if (this.current && element === this.#element && element.hasAttribute('src')) run()
      })
    on('loadedmetadata', () => {
      if (this.#resumeAt > 0) element.currentTime = Math.min(this.#resumeAt, Math.max(0, element.duration - 1))
      this.#resumeAt = 0
      element.playbackRate = this.speed
    })
    on('durationchange', () => {
      if (Number.isFinite(element.duration)) this.duration = element.duration
    })
    on('timeupdate', () => {
      if (this.#resumeAt === 0) this.position = element.currentTime
      this.#save(false)
    })
    on('play', () => (this.isPlaying = true))
    on('waiting', () => (this.isLoading = true))
    on('playing', () => (this.isLoading = false))
    on('pause', () => {
      this.isPlaying = false
      this.#save(true)
    })
    on('ratechange', () => {
      if (element.playbackRate !== this.speed && SPEEDS.includes(element.playbackRate))
        this.setSpeed(element.playbackRate)
    })
    on('volumechange', () => {
      if (element.volume !== this.volume) this.setVolume(element.volume)
    })
    on('ended', () => {
      this.position = this.duration ?? element.currentTime
      this.#save(true)
      const isLast = this.sleep === 'end'
      if (isLast) this.setSleep('off')
      if (isLast || !this.next()) this.isPlaying = false
    })
    on('error', () => {
      this.isPlaying = false
      this.isLoading = false
      this.problem = words.player.failed
    })
  }

  #save(isPaused: boolean): void {
    if (this.current) positions.save(this.current.entryId, this.position, this.duration, isPaused)
  }

  #without(recording: Recording): Recording[] {
    return this.queue.filter((queued) => !isSame(queued, recording))
  }

  /** With nothing loaded, the first one is loaded, without playing it. */
  #enqueue(queue: Recording[]): void {
    const [first, ...others] = queue
    if (this.current || !first) this.queue = queue.slice(0, MOST_QUEUED)
    else {
      this.#load(first, positions.resumeAt(first.entryId))
      this.queue = others
    }
  }

  #remember(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify({ speed: this.speed, volume: this.volume }))
    } catch {
      // Without storage they last until the page is closed.
    }
  }
}

export const player = new Player()

function remembered(): { speed: number; volume: number } {
  try {
    const { speed, volume } = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return { speed: SPEEDS.includes(speed) ? speed : 1, volume: volume >= 0 && volume <= 1 ? volume : 1 }
  } catch {
    return { speed: 1, volume: 1 }
  }
}
