/**
 * Sends entries to other services ("Send to"). Terms beside those of the model:
 *
 * - preset:      how a service is asked: data, with the fields that a user fills in
 * - template:    text or JSON of a preset into which values of an entry and of fields are inserted
 * - send:        an entry on its way to a destination; waiting, sent or failed
 */
export type { Preset, PresetDescription } from './preset.ts'
export { FOLDER_PRESET, PRESETS } from './presets.ts'
export { createSendEntry, type SendEntry, type WriteNote } from './send-entry.ts'
export {
  forgetSend,
  forgetSendsTo,
  loadSends,
  MAX_WAITING_SENDS,
  queueSend,
  recordSend,
  sendKey,
  waitingSends,
} from './send-jobs.ts'
export {
  findDestination,
  forgetDestination,
  loadDestinations,
  MAX_DESTINATIONS,
  readFields,
  saveDestination,
} from './stored-destinations.ts'
export { TEST_ENTRY } from './test-entry.ts'
