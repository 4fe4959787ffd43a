/**
 * Notifications to users: Web Push messages to their browsers. Terms:
 *
 * - device:  a browser that has subscribed at its vendor's push service
 * - reason:  the rule or saved search that asked for a notification
 * - pending: an entry that is to be notified
 */
export { createNotifier } from './notifier.ts'
export { addPending, reasonOfRule } from './pending-notifications.ts'
export { afterSending, sendPush } from './send-push.ts'
export {
  addDevice,
  ensureVapidKeys,
  loadDevices,
  loadVapidKeys,
  MAX_PUSH_DEVICES,
  type PushDevice,
  removeDevices,
  storeDevice,
} from './stored-devices.ts'
