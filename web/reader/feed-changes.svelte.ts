/**
 * Changes to many feeds and to folders, each with a notice and undo. `version` increases with each, for views that have to load again.
 */
import type { FollowedFeedShape } from '../../src/api/index.ts'
import { api, errorMessage } from '../shell/api.ts'
import { notices } from '../shell/notices.svelte.ts'
import { words } from '../words.ts'
import { isWithin, joined, nameOf, parentOf } from './folder-tree.ts'
import { leavingFeeds } from './leaving-feeds.svelte.ts'
import { subscriptions } from './subscriptions.svelte.ts'

/** The server accepts so many feeds at once. */
const MOST_CHANGED = 500
const MOST_LISTED = 1000

interface InFolder {
  id: number
  folder?: string | undefined
}

type Edit = { folder?: string; state?: 'active' | 'paused'; strategy?: string }

class FeedChanges {
  version = $state(0)

  move(feeds: readonly InFolder[], folder: string): Promise<void> {
    const moved = feeds.filter((feed) => (feed.folder ?? '') !== folder)
    return this.#try(async () => {
      if (moved.length === 0) return
      await sendEdit(idsOf(moved), { folder })
      this.#show(
        folder ? words.manage.movedTo({ count: moved.length, folder }) : words.manage.movedOut({ count: moved.length }),
        () => restoreFolders(moved),
      )
    })
  }

  /** Changes state or strategy. Says for how many feeds the user may not. */
  edit(feeds: readonly { id: number }[], edit: Omit<Edit, 'folder'>): Promise<void> {
    return this.#try(async () => {
      const { changed, reasons } = await sendEdit(idsOf(feeds), edit)
      const texts = [
        changed > 0 && words.manage.changed({ count: changed }),
        reasons.length > 0 && words.manage.notChanged({ count: reasons.length, reason: reasons[0] ?? '' }),
      ]
      notices.show(texts.filter(Boolean).join(' '), {
        kind: changed === 0 && reasons.length > 0 ? 'error' : 'done',
      })
    })
  }

  markRead(feeds: readonly { id: number }[]): Promise<void> {
    return this.#try(async () => {
      const changes: number[] = []
      let sum = 0
      for (const some of chunks(idsOf(feeds), MOST_LISTED)) {
        const { change, marked } = await api.markAllRead({ body: { feeds: some } })
        changes.push(change)
        sum += marked
      }
      this.#show(words.read.markedRead({ count: sum }), async () => {
        for (const change of changes) await api.undoMarks({ body: { change } })
      })
    })
  }

  unfollow(feeds: readonly { id: number; title: string }[]): void {
    leavingFeeds.unfollow(feeds, () => this.#changed())
  }

  renameFeed(id: number, title: string, before: string): Promise<void> {
    return this.#try(async () => {
      await api.editSubscription({ params: { id }, body: { title } })
      this.#show(words.manage.renamed({ name: title }), () =>
        api.editSubscription({ params: { id }, body: { title: before } }),
      )
    })
  }

  /** Gives a folder another name, below the same folder. */
  renameFolder(path: string, name: string): Promise<void> {
    return this.#moveFolder(path, joined(parentOf(path), name), words.manage.renamed({ name }))
  }

  /** Moves a folder below another one, or to the top. */
  moveFolder(path: string, parent: string): Promise<void> {
    if (isWithin(parent, path)) return Promise.resolve()
    const to = joined(parent, nameOf(path))
    const name = nameOf(path)
    const moved = parent ? words.manage.folderMovedTo({ name, parent }) : words.manage.folderMovedToTop({ name })
    return this.#moveFolder(path, to, moved)
  }

  /** Its feeds and the folders below it move to the folder above, or are unfollowed. */
  removeFolder(path: string, isUnfollowed: boolean): Promise<void> {
    if (!isUnfollowed) return this.#moveFolder(path, parentOf(path), words.manage.folderRemoved({ name: nameOf(path) }))
    return this.#try(async () => this.unfollow(await feedsIn(path)))
  }

  #moveFolder(path: string, to: string, text: string): Promise<void> {
    return this.#try(async () => {
      if (to === path) return
      const before = await feedsIn(path)
      await api.renameFolder({ params: { folder: path }, body: { name: to } })
      this.#show(text, () => restoreFolders(before))
    })
  }

  #show(text: string, undo: () => Promise<unknown>): void {
    notices.show(text, { undo: () => void this.#try(undo) })
  }

  async #try(change: () => Promise<unknown>): Promise<void> {
    try {
      await change()
    } catch (error) {
      notices.show(errorMessage(error), { kind: 'error' })
    }
    this.#changed()
  }

  #changed(): void {
    this.version++
    subscriptions.load().catch(() => {}) // loaded again when the server is back
  }
}

export const feedChanges = new FeedChanges()

/** All feeds of a folder and of those below it. */
async function feedsIn(folder: string): Promise<{ id: number; title: string; folder?: string | undefined }[]> {
  const feeds: FollowedFeedShape[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await api.listSubscriptions({ query: { folder, limit: MOST_LISTED, ...(cursor && { cursor }) } })
    for (const feed of page.subscriptions) feeds.push(feed)
    cursor = page.next
    if (cursor === undefined) return feeds.map((feed) => ({ ...feed, id: feed.feedId }))
  }
}

async function restoreFolders(feeds: readonly InFolder[]): Promise<void> {
  for (const [folder, members] of Map.groupBy(feeds, (feed) => feed.folder ?? ''))
    await sendEdit(idsOf(members), { folder })
}

async function sendEdit(ids: readonly number[], edit: Edit): Promise<{ changed: number; reasons: string[] }> {
  let changed = 0
  const reasons: string[] = []
  for (const some of chunks(ids, MOST_CHANGED)) {
    const result = await api.editSubscriptions({ body: { feeds: some, ...edit } })
    changed += result.changed.length
    for (const { reason } of result.refused) reasons.push(reason)
  }
  return { changed, reasons }
}

function idsOf(feeds: readonly { id: number }[]): number[] {
  return feeds.map(({ id }) => id)
}

function* chunks(ids: readonly number[], size: number): Generator<number[]> {
  for (let i = 0; i < ids.length; i += size) yield ids.slice(i, i + size)
}
