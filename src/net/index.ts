/** The HTTP client: address guard, DNS, TLS, proxies, redirects, decoding, and limits on everything that comes in. */
export { createHttpNet, type HttpNetOptions } from './http-net.ts'
