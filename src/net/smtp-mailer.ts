/** Sends e-mail through an SMTP server, one connection for each message, with nodemailer. It is loaded with the first message. */
import { type Millis, SECOND } from '../model/index.ts'
import type { Mail, Mailer, MailResult } from '../ports/index.ts'

export interface SmtpOptions {
  host: string
  port: number
  /** starttls: encrypt after connecting, or fail. tls: encrypt from the start. none: for a server on the same machine. */
  tls: 'starttls' | 'tls' | 'none'
  user?: string
  password?: string
  /** The sender: an address, or a name and an address in angle brackets. */
  from: string
  timeoutMs?: Millis
  /** Additional trusted certificates (PEM), for tests. */
  certificateAuthorities?: string[]
}

const TIMEOUT_MS = 30 * SECOND

export function createSmtpMailer(options: SmtpOptions): Mailer {
  const { host, port, tls, user, password = '', from, timeoutMs = TIMEOUT_MS, certificateAuthorities } = options

  async function send({ to, unsubscribeUrl, messageId, ...mail }: Mail): Promise<MailResult> {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      host,
      port,
      secure: tls === 'tls',
      requireTLS: tls === 'starttls',
      ignoreTLS: tls === 'none',
      ...(user && { auth: { user, pass: password } }),
      ...(certificateAuthorities && { tls: { ca: certificateAuthorities } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      await transport.sendMail({
        ...mail,
        from,
        to: { name: '', address: to }, // never parsed as a list
        messageId: `<${messageId}>`,
        headers: {
          'auto-submitted': 'auto-generated',
          ...(unsubscribeUrl && {
            'list-unsubscribe': `<${unsubscribeUrl}>`,
            'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
          }),
        },
      })
      return { ok: true }
    } catch (error) {
      return failureOf(error)
    } finally {
      transport.close()
    }
  }

  return { send }
}

const MAX_TROUBLE = 300

/** Errors of the network and answers from 400 to 499 may pass; a login or an address that is refused will not. */
function failureOf(error: unknown): MailResult {
  const { responseCode, code, message = '' } = error as { responseCode?: number; code?: string; message?: string }
  const isFinal = (responseCode ?? 0) >= 500 && code !== 'EAUTH'
  const trouble = message.replace(/\s+/g, ' ').slice(0, MAX_TROUBLE)
  return { ok: false, trouble: trouble || (code ?? 'the mail server could not be reached'), isFinal }
}
