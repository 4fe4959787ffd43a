/**
 * Notifications to users: Web Push messages to their browsers. Terms:
 *
 * - device:  a browser that has subscribed at its vendor's push service
 * - reason:  the rule or saved search that asked for a notification
 * - pending: an entry that is to be notified
 */
export { createNotifier } from './notifier.ts'
export { addPending, reasonOfRule } from './pending-notifications.ts'
export { notifyingSearches, setSearchNotifies } from './search-notifications.ts'
export { browserName, sendTest } from './send-test.ts'
export {
  addDevice,
  ensureVapidKeys,
  loadDevices,
  MAX_PUSH_DEVICES,
  type PushDevice,
  removeDevices,
  removeDevicesOfSession,
} from './stored-devices.ts'
