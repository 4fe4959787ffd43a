/**
 * Notifications of the user, and whether this browser is one of their devices. The browser asks for permission only when the user turns
 * notifications on. The service worker shows them (public/worker.js).
 */
import type { NotificationsShape } from '../../src/api/index.ts'
import { words } from '../words.ts'
import { api } from './api.ts'
import { router } from './router.svelte.ts'

/** The id of this browser's device. */
const DEVICE = 'freshet.device'

class Notifications {
  current = $state.raw<NotificationsShape | undefined>()
  #deviceId = $state(localStorage.getItem(DEVICE) ?? '')
  readonly isSupported =
    isSecureContext && 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

  /** This browser among the devices of the user. */
  device = $derived(this.current?.devices.find(({ id }) => id === this.#deviceId))

  async load(): Promise<void> {
    this.current = await api.getNotifications()
  }

  isNotifying(searchId: number): boolean {
    return this.current?.searches.includes(searchId) ?? false
  }

  /** Only call it when the user asks for it. Throws an error with a sentence for the user. */
  async turnOn(): Promise<void> {
    if ((await Notification.requestPermission()) !== 'granted') throw new Error(words.notifications.denied)
    const { publicKey } = await api.createPushKey()
    const { pushManager } = await navigator.serviceWorker.ready
    await (await pushManager.getSubscription())?.unsubscribe() // it may be of another user, with another key
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    const { endpoint = '', keys } = subscription.toJSON()
    const { p256dh = '', auth = '' } = keys ?? {}
    const { id } = await api.addPushDevice({ body: { endpoint, keys: { p256dh, auth } } })
    localStorage.setItem(DEVICE, id)
    this.#deviceId = id
    await this.load()
  }

  async remove(id: string): Promise<void> {
    await api.removePushDevice({ params: { id } })
    if (id === this.#deviceId) await this.forget()
    await this.load()
  }

  async test(): Promise<void> {
    this.current = await api.testNotifications()
  }

  async setSearch(id: number, notify: boolean): Promise<void> {
    this.current = await api.setSearchNotification({ params: { id }, body: { notify } })
  }

  /** Ends the subscription of this browser, for instance because its user logs out. */
  async forget(): Promise<void> {
    localStorage.removeItem(DEVICE)
    this.#deviceId = ''
    if (!this.isSupported) return
    const registration = await navigator.serviceWorker.getRegistration()
    await (await registration?.pushManager.getSubscription())?.unsubscribe()
  }

  /** A click on a notification opens its entry in a window that is already open. */
  openClicked(): void {
    if (!('serviceWorker' in navigator)) return
    navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: unknown }>) => {
      const path = data?.open
      if (typeof path === 'string' && /^\/(?!\/)/.test(path)) router.go(path)
    })
  }
}

export const notifications = new Notifications()
