/**
 * Keeps the unread entries of chosen folders, with their texts and pictures, in a cache of the browser, where the service worker finds them
 * while the server is unreachable. Bounded in entries, pictures and bytes; what is not wanted any more is removed. Nothing is loaded while
 * the user saves data.
 */
import type { EntryDetailsShape } from '../../src/api/index.ts'
import { api } from '../shell/api.ts'
import { live } from '../shell/live.svelte.ts'
import { session } from '../shell/session.svelte.ts'
import { firstPageQuery } from './entry-list.svelte.ts'
import { listChoices } from './list-choices.svelte.ts'
import { pictureAt, pictureOf } from './pictures.ts'
import { picturesIn } from './safe-html.ts'

/** Kept apart from what was read, so that reading does not displace it. Its name begins like that of the worker, which logging out deletes. */
const CACHE = 'freshet-news-offline'
const KEY = 'freshet.offline'
const MOST_FOLDERS = 20
const MOST_ENTRIES = 300
const MOST_PICTURES_PER_ENTRY = 8
const MOST_PICTURE_BYTES = 1_500_000
const MOST_BYTES = 60_000_000
const FIRST_AFTER_MS = 8000
const AGAIN_AFTER_MS = 30 * 60_000
/** Between entries: reading comes first. */
const PAUSE_MS = 120

/** Says to the service worker (public/worker.js) that a response is not to be kept as one that was read. */
const OFFLINE_COPY = 'x-freshet-offline-copy'

export interface OfflineCopy {
  at: number
  entries: number
  pictures: number
  bytes: number
  /** There was more than fits. */
  isCut: boolean
}

class OfflineEntries {
  /** Names of folders; '' is the list of all unread entries. */
  folders = $state.raw<readonly string[]>([])
  copy = $state.raw<OfflineCopy | undefined>()
  isLoading = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined
  #run: AbortController | undefined

  constructor() {
    const { folders, copy } = load()
    this.folders = folders
    this.copy = copy
  }

  isSupported = 'caches' in globalThis && 'serviceWorker' in navigator

  start(): void {
    if (this.isSupported && this.folders.length > 0) this.#schedule(FIRST_AFTER_MS)
  }

  choose(folder: string, isChosen: boolean): void {
    const others = this.folders.filter((one) => one !== folder)
    this.folders = (isChosen ? [...others, folder] : others).slice(0, MOST_FOLDERS)
    this.#store()
    void this.refresh()
  }

  /** Loads what is missing and removes what is not wanted any more. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer)
    this.#run?.abort()
    const run = new AbortController()
    this.#run = run
    if (this.folders.length === 0) {
      if (this.isSupported) await caches.delete(CACHE)
      this.copy = undefined
      this.#store()
      return
    }
    if (live.isUnreachable || isSavingData()) return this.#schedule(AGAIN_AFTER_MS)
    this.isLoading = true
    try {
      this.copy = await copyFolders(this.folders, run.signal)
      this.#store()
    } catch {
      // Interrupted, or the server is away: what was there stays.
    }
    if (this.#run !== run) return
    this.isLoading = false
    this.#schedule(AGAIN_AFTER_MS)
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.refresh(), ms)
  }

  #store(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify({ folders: this.folders, copy: this.copy }))
    } catch {
      // Without storage nothing is kept anyway.
    }
  }
}

export const offlineEntries = new OfflineEntries()

async function copyFolders(folders: readonly string[], signal: AbortSignal): Promise<OfflineCopy> {
  const cache = await caches.open(CACHE)
  const wanted = new Set<string>()
  const copy: OfflineCopy = { at: Date.now(), entries: 0, pictures: 0, bytes: 0, isCut: false }

  /** Keeps a response unless it is there already; `isRenewed`: lists change. Returns its bytes, 0 if there is none. */
  async function keep(path: string, mostBytes: number, isRenewed = false): Promise<number> {
    const known = isRenewed ? undefined : await cache.match(path)
    if (known) {
      wanted.add(path)
      return (await known.clone().blob()).size
    }
    const response = await fetch(path, { headers: { [OFFLINE_COPY]: '1' }, signal })
    if (!response.ok) return 0
    const { size } = await response.clone().blob()
    if (size > mostBytes) return 0
    await cache.put(path, response)
    wanted.add(path)
    return size
  }

  const ids = new Set<number>()
  for (const folder of folders) {
    const spec = folder === '' ? ({ kind: 'unread', value: '' } as const) : ({ kind: 'folder', value: folder } as const)
    copy.bytes += await keep(entriesPath(firstPageQuery(spec, listChoices.of(spec))), MOST_BYTES, true)
    const scope = folder === '' ? {} : { folder }
    const { entries, next } = await api.listEntries(
      { query: { ...scope, mine: true, unread: true, unique: 'story', limit: MOST_ENTRIES } },
      signal,
    )
    copy.isCut ||= next !== undefined
    for (const { id } of entries) ids.add(id)
  }
  for (const id of ids) {
    signal.throwIfAborted()
    if (copy.entries >= MOST_ENTRIES || copy.bytes >= MOST_BYTES) {
      copy.isCut = true
      break
    }
    const path = `/api/v1/entries/${id}`
    const bytes = await keep(path, MOST_BYTES)
    if (bytes === 0) continue
    copy.entries++
    copy.bytes += bytes
    const details = (await (await cache.match(path))?.json()) as EntryDetailsShape | undefined
    for (const picture of details ? picturesOf(details) : []) {
      const pictureBytes = await keep(picture, MOST_PICTURE_BYTES).catch((error: unknown) => {
        signal.throwIfAborted()
        if (live.isUnreachable) throw error
        return 0
      })
      if (pictureBytes > 0) copy.pictures++
      copy.bytes += pictureBytes
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  for (const { url } of await cache.keys()) {
    const { pathname, search } = new URL(url)
    if (!wanted.has(pathname + search)) await cache.delete(url)
  }
  return copy
}

/** The address that the page requests for the same list. */
function entriesPath(query: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  return `/api/v1/entries?${parameters}`
}

/** The thumbnail, the picture of the entry, and those in its text, as the page requests them. */
function picturesOf(entry: EntryDetailsShape): string[] {
  const ofArticle = entry.article?.state === 'read' ? entry.article.html : undefined
  const html = ofArticle ?? entry.content ?? entry.summary ?? ''
  const own = [pictureOf(entry, 'small'), pictureOf(entry)].filter((path) => path !== undefined)
  return [...own, ...picturesIn(html).map((src) => pictureAt(entry.id, src))].slice(0, MOST_PICTURES_PER_ENTRY)
}

function isSavingData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true || !session.scope
}

function load(): { folders: string[]; copy: OfflineCopy | undefined } {
  try {
    const { folders, copy } = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    const isCopy = [copy?.at, copy?.entries, copy?.pictures, copy?.bytes].every(Number.isFinite)
    const names = Array.isArray(folders) ? folders.filter((one) => typeof one === 'string').slice(0, MOST_FOLDERS) : []
    return { folders: names, copy: isCopy ? { ...copy, isCut: copy.isCut === true } : undefined }
  } catch {
    return { folders: [], copy: undefined }
  }
}
