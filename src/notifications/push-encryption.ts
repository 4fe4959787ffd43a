/**
 * Encrypts and signs Web Push messages: the aes128gcm content coding with one record (RFC 8188), keys from an ECDH exchange with the
 * browser (RFC 8291), and a VAPID token that identifies the sender to the push service (RFC 8292).
 */
import { createCipheriv, createECDH, createPrivateKey, type ECDH, hkdfSync, randomBytes, sign } from 'node:crypto'
import { HOUR, type Instant, SECOND } from '../model/index.ts'

/** As a browser returns them, in base64url. */
export interface BrowserKeys {
  p256dh: string
  auth: string
}

/** In base64url: the private scalar, and the uncompressed public point. */
export interface VapidKeys {
  privateKey: string
  publicKey: string
}

const CURVE = 'prime256v1'
const SALT_BYTES = 16
const RECORD_BYTES = 4096
/** Marks the last record: RFC 8188, section 2. */
const LAST_RECORD = 2
/** Push services accept at most 24 hours. */
const TOKEN_MS = 12 * HOUR

export function newVapidKeys(): VapidKeys {
  const pair = createECDH(CURVE)
  const publicKey = pair.generateKeys('base64url')
  return { privateKey: pair.getPrivateKey().toString('base64url'), publicKey }
}

/** Throws if the keys are no valid point and secret. `pair` and `salt` are given by tests only. */
export function encryptPushMessage(
  plaintext: Uint8Array,
  { p256dh, auth }: BrowserKeys,
  pair: ECDH = newPair(),
  salt: Uint8Array = randomBytes(SALT_BYTES),
): Buffer {
  const browserKey = Buffer.from(p256dh, 'base64url')
  const ownKey = pair.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey])
  const shared = pair.computeSecret(browserKey)
  const input = Buffer.from(hkdfSync('sha256', shared, Buffer.from(auth, 'base64url'), info, 32))
  return encryptRecord(plaintext, input, salt, ownKey)
}

/** RFC 8188 with a single record: header, ciphertext, tag. */
export function encryptRecord(
  plaintext: Uint8Array,
  input: Uint8Array,
  salt: Uint8Array,
  keyId: Uint8Array,
  recordBytes = RECORD_BYTES,
): Buffer {
  const derive = (use: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${use}\0`, bytes))
  const header = Buffer.alloc(5)
  header.writeUInt32BE(recordBytes)
  header.writeUInt8(keyId.length, 4)
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  const text = cipher.update(Buffer.concat([plaintext, Buffer.of(LAST_RECORD)]))
  return Buffer.concat([salt, header, keyId, text, cipher.final(), cipher.getAuthTag()])
}

/** The Authorization header. `contact`: an https or mailto address of the operator. */
export function vapidAuthorization(
  endpoint: string,
  { privateKey, publicKey }: VapidKeys,
  { now, contact }: { now: Instant; contact: string },
): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor((now + TOKEN_MS) / SECOND), sub: contact }
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', d: privateKey, x: x!, y: y! }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `vapid t=${signed}.${signature}, k=${publicKey}`
}

function newPair(): ECDH {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  return pair
}
