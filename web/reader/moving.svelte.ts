/** What the user moves to another folder: by dragging it, or in the dialog "Move to …". */
import { feedChanges } from './feed-changes.svelte.ts'
import { isWithin, parentOf } from './folder-tree.ts'

export type Moved =
  | { kind: 'feeds'; feeds: readonly { id: number; title: string; folder?: string | undefined }[] }
  | { kind: 'folder'; path: string }

class Moving {
  /** Being dragged. */
  dragged = $state.raw<Moved | undefined>()
  /** Shown in the dialog. */
  requested = $state.raw<Moved | undefined>()

  startDrag(event: DragEvent, moved: Moved): void {
    this.dragged = moved
    event.dataTransfer?.setData(
      'text/plain',
      moved.kind === 'folder' ? moved.path : moved.feeds.map(({ title }) => title).join('\n'),
    )
    if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move'
  }

  endDrag(): void {
    this.dragged = undefined
  }

  /** Whether it can be dropped on a folder; '' means outside of folders. */
  fits(folder: string, moved = this.dragged): boolean {
    if (!moved) return false
    if (moved.kind === 'feeds') return moved.feeds.some((feed) => (feed.folder ?? '') !== folder)
    return !isWithin(folder, moved.path) && parentOf(moved.path) !== folder
  }

  drop(folder: string, moved = this.dragged): void {
    this.dragged = undefined
    if (!moved || !this.fits(folder, moved)) return
    void (moved.kind === 'feeds' ? feedChanges.move(moved.feeds, folder) : feedChanges.moveFolder(moved.path, folder))
  }
}

export const moving = new Moving()
