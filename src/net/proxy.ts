/**
 * Requests through a proxy. Settings have the usual format of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; the caller reads them from the
 * environment or a file.
 *
 * With a proxy we do not know which address a name resolves to: the guard still blocks literal addresses, and the rest is up to the proxy.
 * Names under `localhost` never use it.
 */
import { isIP } from 'node:net'
import { credentialsIn } from '../model/index.ts'
import { contains, networkList } from './address-guard.ts'
import { NetError } from './net-error.ts'
import { basicAuthorization, hostnameOf, parseTarget, portOf } from './target.ts'

export interface ProxySettings {
  /** For http:// addresses, such as `http://proxy.example:3128`; credentials in it are sent to the proxy. */
  http?: string
  /** For https:// addresses. The scheme of the proxy's own address applies to the connection to it. */
  https?: string
  /** Hosts that bypass the proxy: names (with subdomains), addresses, networks, or `*`; comma-separated. */
  bypass?: string
}

export interface ProxyServer {
  hostname: string
  port: number
  secure: boolean
  /** For the header proxy-authorization. */
  authorization?: string
}

/** The proxy for an address, or undefined for a direct connection. */
export type ProxyChoice = (url: URL) => ProxyServer | undefined

export function createProxyChoice(settings: ProxySettings = {}): ProxyChoice {
  const proxies = { 'http:': parseProxy(settings.http), 'https:': parseProxy(settings.https) }
  const isExcept = createExceptions(settings.bypass ?? '')
  return (url) => {
    const proxy = proxies[url.protocol as keyof typeof proxies]
    return proxy && !isExcept(hostnameOf(url), portOf(url)) ? proxy : undefined
  }
}

function parseProxy(setting?: string): ProxyServer | undefined {
  if (!setting) return undefined
  const url = URL.parse(setting.includes('://') ? setting : `http://${setting}`)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Error('the proxy address is invalid; expected the form http://proxy.example:3128')
  const credentials = credentialsIn(url.href)
  const proxy = { hostname: hostnameOf(url), port: portOf(url), secure: url.protocol === 'https:' }
  return credentials ? { ...proxy, authorization: basicAuthorization(credentials) } : proxy
}

/** The proxy that a user chose for a feed. Throws a NetError for addresses that are not allowed. */
export function parseUserProxy(address: string): ProxyServer {
  parseTarget(address)
  const proxy = parseProxy(address)
  if (!proxy) throw new NetError('forbidden-address', 'the proxy address is invalid')
  return proxy
}

function createExceptions(list: string): (hostname: string, port: number) => boolean {
  const entries = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const addresses = networkList(entries.filter(isNetwork))
  const names = entries.filter((entry) => !isNetwork(entry)).map(parseName)
  names.push({ name: 'localhost', port: undefined })
  return (hostname, port) => {
    if (isIP(hostname)) return contains(addresses, hostname) || names.some(({ name }) => name === '*')
    return names.some((except) => {
      if (except.port !== undefined && except.port !== port) return false
      return except.name === '*' || hostname === except.name || hostname.endsWith(`.${except.name}`)
    })
  }
}

function isNetwork(entry: string): boolean {
  return isIP(entry.split('/')[0]!) > 0
}

/** `example.org`, `.example.org`, `*.example.org`, `example.org:8080` */
function parseName(entry: string): { name: string; port: number | undefined } {
  const [host = '', port] = entry.split(':')
  return { name: host.replace(/^\*?\./, ''), port: port ? Number(port) : undefined }
}
