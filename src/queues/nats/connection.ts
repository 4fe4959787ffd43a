/**
 * A persistent connection to NATS: servers may be stopped, moved and restarted, and clients wait. Addresses may contain credentials, which
 * are used but never shown.
 */
import { readFile } from 'node:fs/promises'
import type { ConnectionOptions, NatsConnection, TlsOptions } from '@nats-io/transport-node'
import { type Millis, SECOND, withoutCredentials } from '../../model/index.ts'
import { QueueError } from '../../ports/index.ts'
import { loadNats, type NatsModules } from './modules.ts'
import { pause } from './pause.ts'

export interface NatsAddress {
  /** Such as nats://name:password@host:4222 or tls://host; all of one cluster. */
  servers: readonly string[]
  /** Name of this process, as the server lists it. */
  name: string
  /** Prefix of subjects for replies: each role has its own, so that the server can keep replies of roles apart. */
  inboxPrefix?: string
  /** A credentials file as created by `nsc`. */
  credentialsFile?: string
  /** Files: the CA of the server's certificate, and our client certificate. */
  tls?: { caFile?: string; certFile?: string; keyFile?: string }
}

export interface NatsLink {
  nc: NatsConnection
  modules: NatsModules
  /** Creates a subject for replies. */
  newInbox(): string
  /** While false, nothing can be sent. */
  isUp(): boolean
  /** Called after each reconnect. If its promise rejects, it is retried while the connection lasts: JetStream starts later. */
  onReconnect(listener: () => void | Promise<void>): void
  /** Resolves when the connection is closed because the server keeps rejecting our login. */
  lost: Promise<QueueError>
  close(): Promise<void>
}

const CONNECT_MS: Millis = 10 * SECOND
const PING_EVERY_MS: Millis = 5 * SECOND // a silently broken connection is noticed after two of them
const RECONNECT_MS = 250
const LISTENER_RETRY_MS = 500
const MIN_SERVER_VERSION = [2, 9]
/** Time to change a password on the server and in our settings; afterwards a supervisor has to restart us. */
const LOGIN_RETRY_MS: Millis = 60 * SECOND

export async function connectNats(address: NatsAddress, loginRetryMs = LOGIN_RETRY_MS): Promise<NatsLink> {
  const modules = await loadNats()
  const serverList = address.servers.map((server) => withoutCredentials(server)).join(', ')
  const options = await optionsOf(address, modules)
  let nc: NatsConnection
  try {
    nc = await modules.core.connect(options)
  } catch (error) {
    throw new QueueError(`no connection to NATS at ${serverList}: ${reasonOf(error)}`, hintFor(error), { cause: error })
  }
  const { version = '0.0', jetstream } = nc.info ?? {}
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major * 100 + minor < MIN_SERVER_VERSION[0]! * 100 + MIN_SERVER_VERSION[1]! || !jetstream) {
    await nc.close()
    const problem = jetstream ? `is version ${version}` : 'has no JetStream'
    throw new QueueError(
      `the NATS server at ${serverList} ${problem}`,
      'start nats-server 2.9 or later with -js, or with a jetstream block in its configuration',
    )
  }

  let isUp = true
  const listeners: (() => void | Promise<void>)[] = []
  let connections = 1
  async function notify(listener: () => void | Promise<void>): Promise<void> {
    for (const connection = connections; isUp && connection === connections && !nc.isClosed(); ) {
      try {
        return await listener()
      } catch {
        await pause(LISTENER_RETRY_MS)
      }
    }
  }
  let refusedSince: number | undefined
  const lost = Promise.withResolvers<QueueError>()
  function loginRefused(error: Error): void {
    refusedSince ??= performance.now()
    if (performance.now() - refusedSince < loginRetryMs || nc.isClosed()) return
    const seconds = Math.round((performance.now() - refusedSince) / SECOND)
    const message = `NATS at ${serverList} has rejected our login for ${seconds} s: ${reasonOf(error)}`
    void nc.close().finally(() => lost.resolve(new QueueError(message, hintFor(error))))
  }

  async function watchStatus(): Promise<void> {
    for await (const status of nc.status()) {
      const { type } = status
      if (type === 'disconnect' || type === 'staleConnection') isUp = false
      if (type === 'error' && isLoginRefused(status.error)) loginRefused(status.error)
      if (type !== 'reconnect') continue
      isUp = true
      refusedSince = undefined
      connections++
      for (const listener of listeners) void notify(listener)
    }
  }
  void watchStatus()

  return {
    nc,
    modules,
    newInbox: () => modules.core.createInbox(address.inboxPrefix),
    isUp: () => isUp && !nc.isClosed(),
    onReconnect: (listener) => void listeners.push(listener),
    lost: lost.promise,
    async close() {
      if (nc.isClosed()) return
      if (isUp) await nc.drain().catch(() => {}) // there is nothing to drain if the connection is lost meanwhile
      if (!nc.isClosed()) await nc.close()
    },
  }
}

async function optionsOf(
  { servers, name, inboxPrefix, credentialsFile, tls }: NatsAddress,
  { core }: NatsModules,
): Promise<ConnectionOptions> {
  const urls = servers.map((server) => new URL(/^[a-z]+:\/\//i.test(server) ? server : `nats://${server}`))
  const login = urls.find(({ username }) => username !== '')
  const isEncrypted = tls !== undefined || urls.some(({ protocol }) => protocol === 'tls:')
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    name,
    ...(inboxPrefix && { inboxPrefix }),
    timeout: CONNECT_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true, // handled above, where we wait for more than two attempts
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    ...(login?.password && { user: decodeURIComponent(login.username), pass: decodeURIComponent(login.password) }),
    ...(login && !login.password && { token: decodeURIComponent(login.username) }),
    ...(credentialsFile && { authenticator: core.credsAuthenticator(await fileOf(credentialsFile, 'credentials')) }),
    ...(isEncrypted && { tls: await tlsOf(tls ?? {}) }),
  }
}

async function tlsOf({ caFile, certFile, keyFile }: NonNullable<NatsAddress['tls']>): Promise<TlsOptions> {
  const text = async (file: string, kind: string) => Buffer.from(await fileOf(file, kind)).toString()
  return {
    ...(caFile && { ca: await text(caFile, 'CA certificate') }),
    ...(certFile && { cert: await text(certFile, 'certificate') }),
    ...(keyFile && { key: await text(keyFile, 'key') }),
  }
}

async function fileOf(path: string, kind: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new QueueError(
      `the file with the ${kind} for NATS cannot be read: ${path}`,
      'check that it exists and is readable',
      {
        cause: error,
      },
    )
  }
}

function isLoginRefused(error: Error): boolean {
  return /authorization violation|authentication expired/i.test(error.message)
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error)
  return message.toLowerCase()
}

function hintFor(error: unknown): string {
  const message = reasonOf(error)
  if (/authori|authenti|permission/.test(message))
    return 'check name and password in the address, or the credentials file'
  if (/tls|certificate|secure/.test(message)) return 'check the TLS settings of both sides'
  return 'check that nats-server is running there and that this machine can reach it'
}
