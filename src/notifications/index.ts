/**
 * Notifications to users: Web Push messages to their browsers, and digests as e-mails and feeds. Terms:
 *
 * - device:  a browser that has subscribed at its vendor's push service
 * - reason:  the rule or saved search that asked for a notification
 * - pending: an entry that is to be notified
 * - digest:  the stories and entries of a day or a week
 * - period:  that day or week; it is named after the day on which it ends
 */
export { collectDigest } from './digest/collect-digest.ts'
export { composeDigest } from './digest/compose-digest.ts'
export { createDigestRunner } from './digest/digest-runner.ts'
export { nextDueAt } from './digest/digest-schedule.ts'
export { type MailPurpose, verifyMailToken } from './digest/mail-links.ts'
export { askForConfirmation } from './digest/send-mail.ts'
export {
  type DigestSettings,
  loadDigestProgress,
  loadDigestSettings,
  loadDigests,
  loadMailAddress,
  removeMailAddress,
  saveDigestSettings,
  storeMailAddress,
} from './digest/stored-digests.ts'
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
