/**
 * Links in e-mails, which work without logging in: one confirms an address, one unsubscribes (RFC 8058). Opening a link changes nothing,
 * because programs of mail servers open links, too: the page that it shows has a button.
 */
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import {
  loadDigestSettings,
  type MailPurpose,
  saveDigestSettings,
  storeMailAddress,
  verifyMailToken,
} from '../../notifications/index.ts'
import { clientKey } from '../client-address.ts'
import { Problem } from '../problem.ts'
import { createTokenBuckets } from '../rate-limit.ts'
import type { ServerParts } from '../server-parts.ts'

const PURPOSES: Record<MailPurpose, { question: string; button: string; done: string }> = {
  confirm: {
    question: 'Send your digests to this address?',
    button: 'Confirm this address',
    done: 'The address is confirmed.',
  },
  unsubscribe: {
    question: 'Send no more digests to this address?',
    button: 'Unsubscribe',
    done: 'You get no more digests by e-mail.',
  },
}
const RATE = { perSecond: 1, burst: 20 }

export function mailLinkRoutes(parts: ServerParts): Hono {
  const { clock, trustProxy } = parts
  const takeToken = createTokenBuckets(RATE)
  const app = new Hono()

  async function verify(c: Context, purpose: MailPurpose) {
    const wait = takeToken(clientKey(c, trustProxy), clock.now())
    if (wait > 0) throw new Problem(429, 'too many requests', 'try again in a moment', wait)
    const found = await verifyMailToken(purpose, (c.req.query('token') ?? '').slice(0, 200), parts)
    if (!found) throw new Problem(404, 'this link is not valid any more', 'see Notifications on the dashboard')
    return found
  }

  for (const [purpose, texts] of Object.entries(PURPOSES) as [MailPurpose, (typeof PURPOSES)[MailPurpose]][]) {
    app.get(`/mail/${purpose}`, async (c) => {
      await verify(c, purpose)
      const form = html`<p>${texts.question}</p><form method="post"><button>${texts.button}</button></form>`
      return c.html(page(texts.button, form), 200, { 'cache-control': 'no-store' })
    })
    app.post(`/mail/${purpose}`, async (c) => {
      const { userId, address } = await verify(c, purpose)
      if (purpose === 'confirm') {
        if (!address.confirmedAt) await storeMailAddress(parts, userId, { ...address, confirmedAt: clock.now() })
      } else {
        const settings = await loadDigestSettings(parts, userId)
        if (settings?.byEmail) await saveDigestSettings(parts, userId, { ...settings, byEmail: false })
      }
      return c.html(page(texts.button, html`<p>${texts.done}</p>`), 200, { 'cache-control': 'no-store' })
    })
  }
  return app
}

function page(title: string, content: unknown) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/description.css">
</head>
<body><main><h1>Freshet</h1>${content}</main></body>
</html>`
}
