/**
 * Opens a connection: resolves the name, checks every address, connects to an allowed one, and starts TLS for https. All within one time
 * limit. Connects only to the addresses that were checked, without resolving the name again.
 *
 * Allowed private networks are only for addresses that users gave: a host there may be contacted if it is the one the user named, or if
 * that one is in such a network, too. So no redirect, link or hub of a public site leads into them.
 */
import { request as httpRequest } from 'node:http'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import type { Millis } from '../model/index.ts'
import type { AddressGuard } from './address-guard.ts'
import type { Lifetime } from './lifetime.ts'
import { NetError } from './net-error.ts'
import type { ProxyServer } from './proxy.ts'
import type { HostResolver } from './resolver.ts'
import { hostnameOf, portOf } from './target.ts'

export interface ConnectorParts {
  guard: AddressGuard
  lookup: HostResolver
  secureContext: SecureContext
  connectMs: Millis
}

export type Protocol = 'http/1.1' | 'h2'

/** Resolves when the connection is ready for its first request. */
export type Connect = (url: URL, protocol: Protocol, lifetime: Lifetime, route: Route) => Promise<Socket>

/** The host name that a user gave; null if none. */
export type UserGivenHost = string | null

/** How a server is reached. */
export interface Route {
  named: UserGivenHost
  proxy: ProxyServer | undefined
  /** A user chose the proxy, not the operator. */
  isUserProxy: boolean
  acceptsInvalidCertificate: boolean
}

/** The same for requests that may share a connection. */
export function routeKey({ named, proxy, acceptsInvalidCertificate }: Route): string {
  const through = proxy ? JSON.stringify(proxy) : ''
  return `${named ?? ''}:${through}:${acceptsInvalidCertificate}`
}

export function createConnect({ guard, lookup, secureContext, connectMs }: ConnectorParts): Connect {
  async function addressesOf(hostname: string): Promise<string[]> {
    return isIP(hostname) ? [hostname] : lookup.addressesOf(hostname)
  }

  async function checkedAddresses(hostname: string, named: UserGivenHost): Promise<string[]> {
    const addresses = await addressesOf(hostname)
    const visitable = addresses.filter((address) => !guard.blockReason(address))
    if (visitable.length === 0) throw refusal(hostname, addresses[0]!)
    if (visitable.every(guard.isPublic) || (await isUserAllowed(hostname, named))) return visitable
    const publicAddresses = visitable.filter(guard.isPublic)
    if (publicAddresses.length === 0) throw refusal(hostname, visitable[0]!)
    return publicAddresses
  }

  /** Whether this host may be in an allowed private network: it was named by the user, or the named host is only in such networks. */
  async function isUserAllowed(hostname: string, named: UserGivenHost): Promise<boolean> {
    if (named === null || hostname === named) return hostname === named
    const addresses = await addressesOf(named).catch(() => [])
    return addresses.some((address) => !guard.blockReason(address)) && !addresses.some(guard.isPublic)
  }

  function refusal(hostname: string, address: string): NetError {
    const subject = hostname === address ? `${address} is` : `${hostname} resolves to ${address},`
    const reason =
      guard.blockReason(address) ?? 'in an allowed private network, but only hosts that users named are requested there'
    return new NetError('forbidden-address', `${subject} ${reason}`)
  }

  /** The operator's proxy may be in any private network; one of a user is checked like an address that they gave. */
  async function connectToProxy(proxy: ProxyServer, isUserProxy: boolean, lifetime: Lifetime): Promise<Socket> {
    const { hostname } = proxy
    const addresses = await lifetime.race(isUserProxy ? checkedAddresses(hostname, hostname) : addressesOf(hostname))
    const socket = await openTcp(proxy.hostname, proxy.port, addresses, connectMs, lifetime)
    return proxy.secure ? handshake(socket, proxy.hostname, 'http/1.1', secureContext, lifetime) : socket
  }

  async function connectThrough(
    proxy: ProxyServer,
    url: URL,
    lifetime: Lifetime,
    { named, isUserProxy }: Route,
  ): Promise<Socket> {
    const hostname = hostnameOf(url)
    if (isIP(hostname) || (isUserProxy && (await isResolvable(hostname, lifetime))))
      await lifetime.race(checkedAddresses(hostname, named))
    const socket = await connectToProxy(proxy, isUserProxy, lifetime)
    return url.protocol === 'https:' ? openTunnel(socket, proxy, url, lifetime) : socket
  }

  /** A name that only the proxy knows is up to the proxy. */
  async function isResolvable(hostname: string, lifetime: Lifetime): Promise<boolean> {
    return lifetime.race(
      lookup.addressesOf(hostname).then(
        () => true,
        () => false,
      ),
    )
  }

  return async (url, protocol, lifetime, route) => {
    const hostname = hostnameOf(url)
    const stopLimit = lifetime.limit(connectMs, `connection to ${hostname}`)
    try {
      const { proxy, named, acceptsInvalidCertificate } = route
      const socket = proxy
        ? await connectThrough(proxy, url, lifetime, route)
        : await openTcp(
            hostname,
            portOf(url),
            await lifetime.race(checkedAddresses(hostname, named)),
            connectMs,
            lifetime,
          )
      if (url.protocol !== 'https:') return socket
      return await handshake(socket, hostname, protocol, secureContext, lifetime, !acceptsInvalidCertificate)
    } finally {
      stopLimit()
    }
  }
}

/** Tries the addresses one after the other, dividing the time between them. */
function openTcp(host: string, port: number, addresses: string[], ms: Millis, lifetime: Lifetime): Promise<Socket> {
  const socket = connectTcp({
    host,
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(ms / addresses.length)),
    lookup: (_host, _options, found) =>
      found(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
  })
  return whenReady(socket, 'connect', lifetime)
}

function handshake(
  socket: Socket,
  hostname: string,
  protocol: Protocol,
  secureContext: SecureContext,
  lifetime: Lifetime,
  rejectUnauthorized = true,
): Promise<Socket> {
  const servername = isIP(hostname) ? '' : hostname
  const trust = { secureContext, rejectUnauthorized }
  const secured = connectTls({ socket, host: hostname, servername, ...trust, ALPNProtocols: [protocol] })
  return whenReady(secured, 'secureConnect', lifetime)
}

function openTunnel(socket: Socket, proxy: ProxyServer, url: URL, lifetime: Lifetime): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const authority = `${url.hostname}:${portOf(url)}`
    const request = httpRequest({
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...(proxy.authorization && { 'proxy-authorization': proxy.authorization }) },
      createConnection: () => socket,
    })
    const removeListener = lifetime.onEnd((error) => request.destroy(error))
    const fail = (error: Error) => {
      removeListener()
      socket.destroy()
      reject(error)
    }
    request.on('error', fail)
    const refused = (status?: number) => fail(new NetError('unreachable', `the proxy responded with ${status}`))
    request.once('response', ({ statusCode }) => refused(statusCode))
    request.once('connect', ({ statusCode = 0 }) => {
      if (statusCode < 200 || statusCode > 299) return refused(statusCode)
      removeListener()
      resolve(socket)
    })
    request.end()
  })
}

function whenReady<S extends Socket>(socket: S, event: 'connect' | 'secureConnect', lifetime: Lifetime): Promise<S> {
  return new Promise((resolve, reject) => {
    const removeListener = lifetime.onEnd((error) => socket.destroy(error))
    const fail = (error: Error) => {
      removeListener()
      socket.destroy()
      reject(error)
    }
    socket.once('error', fail)
    socket.once(event, () => {
      removeListener()
      socket.off('error', fail)
      resolve(socket)
    })
  })
}
