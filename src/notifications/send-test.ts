/** A notification that a user asks for, to see whether their devices get any. It is sent at once, and not repeated. */
import type { UserId } from '../model/index.ts'
import { afterSending, type PushParts, sendPush } from './send-push.ts'
import { loadDevices, loadVapidKeys, type NotificationStore, removeDevices, storeDevice } from './stored-devices.ts'

const MESSAGE = {
  title: 'Notifications work',
  body: 'This is the test that you asked for.',
  url: '/dashboard/notifications',
  tag: 'test',
}

export async function sendTest(userId: UserId, parts: NotificationStore & PushParts): Promise<void> {
  const [devices, keys] = await Promise.all([loadDevices(parts, userId), loadVapidKeys(parts, userId)])
  if (!keys) return
  await Promise.all(
    devices.map(async (device) => {
      const result = await sendPush(device, MESSAGE, keys, parts)
      const changed = afterSending(device, result, parts.clock.now())
      return changed ? storeDevice(parts, userId, changed) : removeDevices(parts, userId, [device.id])
    }),
  )
}

/** Such as `Firefox on Linux`, from a User-Agent header. */
export function browserName(userAgent: string): string {
  const browsers: [RegExp, string][] = [
    [/Edg\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/SamsungBrowser\//, 'Samsung Internet'],
    [/Firefox\/|FxiOS\//, 'Firefox'],
    [/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ]
  const systems: [RegExp, string][] = [
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Windows/, 'Windows'],
    [/Mac OS X/, 'macOS'],
    [/CrOS/, 'ChromeOS'],
    [/Linux/, 'Linux'],
  ]
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'A browser'
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  return system ? `${browser} on ${system}` : browser
}
