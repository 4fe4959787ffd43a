/**
 * Passkeys of the browser, as JSON of the WebAuthn standard. Where the browser does not convert it (PublicKeyCredential.parse…FromJSON and
 * toJSON), what our server sends and needs is converted here.
 */
import type { CredentialOptionsShape } from '../../src/api/index.ts'

type Json = Record<string, unknown>

/** A type, because an interface would have no index signature. */
type CredentialJson = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; [name: string]: unknown }
  clientExtensionResults: Json
}

export const hasPasskeySupport = (): boolean => 'PublicKeyCredential' in globalThis

/** Rejects with a DOMException if the user cancels. */
export async function createPasskey(options: CredentialOptionsShape): Promise<CredentialJson> {
  const publicKey =
    PublicKeyCredential.parseCreationOptionsFromJSON?.(options as never) ??
    (parseOptions(options) as unknown as PublicKeyCredentialCreationOptions)
  return jsonOf(await navigator.credentials.create({ publicKey }))
}

export async function getPasskey(options: CredentialOptionsShape): Promise<CredentialJson> {
  const publicKey =
    PublicKeyCredential.parseRequestOptionsFromJSON?.(options as never) ??
    (parseOptions(options) as unknown as PublicKeyCredentialRequestOptions)
  return jsonOf(await navigator.credentials.get({ publicKey }))
}

/** Members of these names are bytes in base64url. */
const BYTES = new Set(['challenge', 'id'])

function parseOptions(value: unknown, key = '', parent = ''): unknown {
  if (typeof value === 'string') return BYTES.has(key) && parent !== 'rp' ? fromBase64Url(value) : value
  if (Array.isArray(value)) return value.map((item) => parseOptions(item, '', key))
  if (typeof value !== 'object' || value === null) return value
  const inside = key || parent
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, parseOptions(one, name, inside)]))
}

function jsonOf(credential: Credential | null): CredentialJson {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('the browser returned no passkey')
  if (typeof credential.toJSON === 'function') return credential.toJSON() as unknown as CredentialJson
  const { id, rawId, response } = credential
  const members: Json = {}
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    const value = (response as unknown as Json)[name]
    if (value instanceof ArrayBuffer) members[name] = toBase64Url(value)
  }
  return {
    id,
    rawId: toBase64Url(rawId),
    type: 'public-key',
    response: members as CredentialJson['response'],
    clientExtensionResults: credential.getClientExtensionResults() as Json,
  }
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}

function toBase64Url(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
