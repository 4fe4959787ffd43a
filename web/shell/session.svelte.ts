/** Who is here, and what he may do. Without accounts it is whoever can reach the server, who may do everything. */
import type { UserShape } from '../../src/api/index.ts'
import { api } from './api.ts'

type Allowance = 'read' | 'write' | 'admin'

class Session {
  user = $state.raw<UserShape | undefined>()
  scope = $state<Allowance | undefined>()
  isKnown = $state(false)

  mayWrite = $derived(this.scope === 'write' || this.scope === 'admin')
  mayAdmin = $derived(this.scope === 'admin')

  async load(): Promise<void> {
    this.#take(await api.getSession())
  }

  async logIn(name: string, password: string): Promise<void> {
    const asker = await api.logIn({ body: { name, password } })
    await forgetKept()
    this.#take(asker)
  }

  async logOut(): Promise<void> {
    await api.logOut()
    await forgetKept()
    location.assign('/')
  }

  #take({ user, scope }: { user?: UserShape | undefined; scope?: Allowance | undefined }): void {
    this.user = user
    this.scope = scope
    this.isKnown = true
  }
}

export const session = new Session()

/** What one person loaded is not for the next one at this browser. */
async function forgetKept(): Promise<void> {
  if (!('caches' in globalThis)) return
  for (const name of await caches.keys()) if (name.startsWith('freshet-news')) await caches.delete(name)
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('freshet.')) sessionStorage.removeItem(key)
}
