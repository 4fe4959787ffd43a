/** The current user and their access. Without accounts, everybody who can reach the server has full access. */
import type { CallerShape, UserShape } from '../../src/api/index.ts'
import { api, errorMessage } from './api.ts'
import { notifications } from './notifications.svelte.ts'
import { getPasskey } from './passkey.ts'
import { recentSearches } from './recent-searches.svelte.ts'
import { router } from './router.svelte.ts'

type AccessScope = 'read' | 'write' | 'admin'

class Session {
  user = $state.raw<UserShape | undefined>()
  scope = $state<AccessScope | undefined>()
  isLoaded = $state(false)
  method = $state<CallerShape['method']>()
  /** Why a sign-in elsewhere failed. */
  problem = $state('')
  /** Audio and video are loaded through the server. */
  proxiesMedia = $state(false)

  canWrite = $derived(this.scope === 'write' || this.scope === 'admin')
  isAdmin = $derived(this.scope === 'admin')

  async load(): Promise<void> {
    this.#set(await api.getSession())
  }

  async logIn(name: string, password: string, code?: string): Promise<void> {
    const session = await api.logIn({ body: { name, password, ...(code && { code }) } })
    await deleteOfflineData()
    this.#set(session)
  }

  async logInWithPasskey(): Promise<void> {
    const { options } = await api.startPasskeySignIn()
    const credential = await getPasskey(options)
    const session = await api.signInWithPasskey({ body: { credential } })
    await deleteOfflineData()
    this.#set(session)
  }

  /** Leaves for the OpenID Connect provider, which sends the browser back to /sign-in. */
  async leaveForProvider({ link = false } = {}): Promise<void> {
    const returnTo = location.pathname + location.search
    const { url } = await api.startOidc({ body: { returnTo, ...(link && { link }) } })
    location.assign(url)
  }

  /** Finishes a sign-in if the provider has sent the browser here. */
  async finishSignIn(): Promise<void> {
    const answer = location.search.slice(1)
    if (location.pathname !== '/sign-in') return
    router.go('/', { replace: true }) // reloading would send the answer twice
    if (answer === '') return
    try {
      const { returnTo } = await api.finishOidc({ body: { answer } })
      await deleteOfflineData()
      router.go(returnTo, { replace: true })
    } catch (error) {
      this.problem = errorMessage(error)
    }
  }

  async logOut(): Promise<void> {
    const { url = '/' } = this.method === 'oidc' ? await api.endOidcSession().catch((): { url?: string } => ({})) : {}
    await api.logOut()
    await notifications.forget().catch(() => {}) // the server has removed the device
    await deleteOfflineData()
    for (const key of ['freshet.lists', 'freshet.offline']) localStorage.removeItem(key) // names of folders and searches
    location.assign(url)
  }

  #set({ user, scope, method, proxiesMedia }: Awaited<ReturnType<typeof api.getSession>>): void {
    this.user = user
    this.scope = scope
    this.method = method
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
