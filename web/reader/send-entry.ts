/** Sends an entry to a destination, and says what came of the first try. */
import { api, errorMessage } from '../shell/api.ts'
import { notices } from '../shell/notices.svelte.ts'
import { words } from '../words.ts'

const CHECKS = 10
const CHECK_EVERY_MS = 1000

export async function sendTo(entryId: number, { id, name }: { id: string; name: string }): Promise<void> {
  const w = words.sendTo
  try {
    const queued = await api.sendEntry({ params: { id: entryId }, body: { destination: id } })
    notices.show(w.sending({ name }))
    for (let i = 0; i < CHECKS; i++) {
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS))
      const send = (await api.listSends()).sends.find((one) => one.id === queued.id)
      if (send?.state === 'sent') return notices.show(w.sent({ name }))
      const trouble = send?.last?.trouble
      if (trouble !== undefined && send?.failures !== queued.failures)
        return notices.show(w.notSent({ name, reason: trouble }), { kind: 'error' })
    }
  } catch (error) {
    notices.show(errorMessage(error), { kind: 'error' })
  }
}
