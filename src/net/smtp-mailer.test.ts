/** E-mail through a mail server on loopback. */
import { afterEach, describe, expect, test } from 'vitest'
import { headerOf, startMailServer } from '../../test/mail-server.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

const MAIL = {
  to: 'ada@example.org',
  subject: 'Häfen\r\nbcc: eve@example.org',
  text: 'High tide',
  html: '<p>High tide</p>',
  messageId: 'abc@news.example',
}
const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0)) await close()
})

async function started(options: Parameters<typeof startMailServer>[0] = {}) {
  const server = await startMailServer(options)
  toClose.push(server.close)
  const common = { host: '127.0.0.1', port: server.port, tls: 'none', from: 'Freshet <news@news.example>' } as const
  return { server, mailer: createSmtpMailer(common), common }
}

describe('a message', () => {
  test('has text, HTML, its id, and headers to unsubscribe; a subject adds no header', async () => {
    const { server, mailer } = await started()
    const unsubscribeUrl = 'https://news.example/mail/unsubscribe?token=1.0.x'
    expect(await mailer.send({ ...MAIL, unsubscribeUrl })).toEqual({ ok: true })
    const [mail] = server.received
    expect(mail!.to).toEqual(['ada@example.org'])
    expect(headerOf(mail!, 'message-id')).toBe('<abc@news.example>')
    expect(headerOf(mail!, 'from')).toBe('Freshet <news@news.example>')
    expect(headerOf(mail!, 'list-unsubscribe')).toBe(`<${unsubscribeUrl}>`)
    expect(headerOf(mail!, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(headerOf(mail!, 'bcc')).toBeUndefined()
    expect(headerOf(mail!, 'content-type')).toContain('multipart/alternative')
    expect(mail!.raw).toContain('text/html')
  })

  test('goes to one address only, whatever it contains', async () => {
    const { server, mailer } = await started()
    await mailer.send({ ...MAIL, to: 'ada@example.org, eve@example.org' })
    expect(server.received.flatMap(({ to }) => to)).not.toContain('eve@example.org')
  })

  test('is sent with a login', async () => {
    const login = { user: 'news', password: 's3cret' }
    const { server, common } = await started({ login })
    expect(await createSmtpMailer({ ...common, ...login }).send(MAIL)).toEqual({ ok: true })
    const wrong = await createSmtpMailer({ ...common, ...login, password: 'wr0ng' }).send(MAIL)
    expect(wrong).toMatchObject({ ok: false, isFinal: false })
    expect(JSON.stringify(wrong)).not.toContain('wr0ng')
    expect(server.received).toHaveLength(1)
  })

  test('is sent again later if the server is away or asks for it, but not if it refuses', async () => {
    const { server, mailer, common } = await started()
    server.answers.push(451, 554)
    expect(await mailer.send(MAIL)).toMatchObject({
      ok: false,
      isFinal: false,
      trouble: expect.stringContaining('451'),
    })
    expect(await mailer.send(MAIL)).toMatchObject({ ok: false, isFinal: true })
    expect(await createSmtpMailer({ ...common, tls: 'starttls' }).send(MAIL)).toMatchObject({ ok: false })
    await server.close()
    toClose.pop()
    expect(await mailer.send(MAIL)).toMatchObject({ ok: false, isFinal: false })
  })
})
