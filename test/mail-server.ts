/** A mail server on loopback, which keeps the messages that it accepts. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  to: string[]
  /** As it was transferred, with its header. */
  raw: string
}

export async function startMailServer({ login }: { login?: { user: string; password: string } } = {}) {
  const received: ReceivedMail[] = []
  /** Statuses of the next messages; accepted when there are none. */
  const answers: number[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: !login,
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const isValid = username === login?.user && password === login?.password
      done(isValid ? null : new Error('invalid login'), isValid ? { user: username } : undefined)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const responseCode = answers.shift()
        if (responseCode !== undefined) return done(Object.assign(new Error('not now'), { responseCode }))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ to, raw: Buffer.concat(chunks).toString('utf8') })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return { port, received, answers, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** A header field, unfolded. */
export function headerOf({ raw }: ReceivedMail, name: string): string | undefined {
  const header = raw.split('\r\n\r\n')[0]!.replace(/\r\n[ \t]+/g, ' ')
  return new RegExp(`^${name}: (.*)$`, 'im').exec(header)?.[1]
}
