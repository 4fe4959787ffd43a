/** The current user and their access. Without accounts, everybody who can reach the server has full access. */
import type { UserShape } from '../../src/api/index.ts'
import { api } from './api.ts'
import { notifications } from './notifications.svelte.ts'
import { recentSearches } from './recent-searches.svelte.ts'

type AccessScope = 'read' | 'write' | 'admin'

class Session {
  user = $state.raw<UserShape | undefined>()
  scope = $state<AccessScope | undefined>()
  isLoaded = $state(false)
  /** Audio and video are loaded through the server. */
  proxiesMedia = $state(false)

  canWrite = $derived(this.scope === 'write' || this.scope === 'admin')
  isAdmin = $derived(this.scope === 'admin')

  async load(): Promise<void> {
    this.#set(await api.getSession())
  }

  async logIn(name: string, password: string): Promise<void> {
    const session = await api.logIn({ body: { name, password } })
    await deleteOfflineData()
    this.#set(session)
  }

  async logOut(): Promise<void> {
    await api.logOut()
    await notifications.forget().catch(() => {}) // the server has removed the device
    await deleteOfflineData()
    for (const key of ['freshet.lists', 'freshet.offline']) localStorage.removeItem(key) // names of folders and searches
    location.assign('/')
  }

  #set({ user, scope, proxiesMedia }: Awaited<ReturnType<typeof api.getSession>>): void {
    this.user = user
    this.scope = scope
    this.proxiesMedia = proxiesMedia ?? false
    this.isLoaded = true
  }
}

export const session = new Session()

/** Deletes what the last user loaded, so that the next user of this browser cannot read it. */
async function deleteOfflineData(): Promise<void> {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('freshet.')) sessionStorage.removeItem(key)
  recentSearches.clear()
  if (!('caches' in globalThis)) return
  for (const name of await caches.keys()) if (name.startsWith('freshet-news')) await caches.delete(name)
}
