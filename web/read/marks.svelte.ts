/**
 * What somebody has read and starred. A mark is shown at once and told to the server after it; what the server says of an
 * entry counts until somebody here says otherwise.
 */
import { SvelteMap } from 'svelte/reactivity'

interface Marked {
  id: number
  read?: boolean | undefined
  starred?: boolean | undefined
}

class Marks {
  #read = new SvelteMap<number, boolean>()
  #starred = new SvelteMap<number, boolean>()

  isRead({ id, read }: Marked): boolean {
    return this.#read.get(id) ?? read ?? false
  }

  isStarred({ id, starred }: Marked): boolean {
    return this.#starred.get(id) ?? starred ?? false
  }

  setRead(entries: readonly Marked[], isRead: boolean): void {
    for (const { id } of entries) this.#read.set(id, isRead)
  }

  setStarred(entry: Marked, isStarred: boolean): void {
    this.#starred.set(entry.id, isStarred)
  }
}

export const marks = new Marks()
