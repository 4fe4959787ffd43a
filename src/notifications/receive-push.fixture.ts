/** What a browser and a push service do with a Web Push message: decrypt it, and check the sender's token. */
import { createDecipheriv, createPublicKey, type ECDH, hkdfSync, verify } from 'node:crypto'

export function decryptPushMessage(message: Uint8Array, browser: ECDH, auth: string): string {
  const bytes = Buffer.from(message)
  const salt = bytes.subarray(0, 16)
  const keyId = bytes.subarray(21, 21 + bytes.readUInt8(20))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), keyId])
  const shared = browser.computeSecret(keyId)
  const input = Buffer.from(hkdfSync('sha256', shared, Buffer.from(auth, 'base64url'), info, 32))
  const derive = (use: string, length: number) =>
    Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${use}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(bytes.subarray(-16))
  const padded = Buffer.concat([decipher.update(bytes.subarray(21 + keyId.length, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')
}

/** The claims of a valid `Authorization: vapid` header; undefined if its signature does not match its key. */
export function vapidClaims(
  authorization: string,
): { aud: string; exp: number; sub: string; publicKey: string } | undefined {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(authorization) ?? []
  const [head, claims, signature] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature ?? '', 'base64url'),
  )
  if (!isValid) return undefined
  return { ...JSON.parse(Buffer.from(claims!, 'base64url').toString('utf8')), publicKey }
}
