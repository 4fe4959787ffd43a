/** Sends e-mail. The driver limits time, and encrypts the connection as it is configured. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Without angle brackets. The same message has the same id when it is sent again. */
  messageId: string
  /** RFC 8058: an address that unsubscribes by a POST. */
  unsubscribeUrl?: string
}

/** `isFinal`: the server refused the message; sending it again would not help. */
export type MailResult = { ok: true } | { ok: false; trouble: string; isFinal: boolean }

export interface Mailer {
  /** Resolves when the server has accepted the message, or has not. Throws only for internal errors. */
  send(mail: Mail): Promise<MailResult>
}
