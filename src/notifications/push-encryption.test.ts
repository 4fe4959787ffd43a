/** The published examples of RFC 8188, RFC 8291 and RFC 8292. */
import { createECDH } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encryptPushMessage, encryptRecord, newVapidKeys, vapidAuthorization } from './push-encryption.ts'
import { decryptPushMessage, vapidClaims } from './receive-push.fixture.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')
const AUTH = 'BTBZMqHH6r4Tts7J_aSIgg'
const BROWSER_KEY = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
const MESSAGE =
  'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'

describe('a push message', () => {
  test('is encrypted as in RFC 8188, section 3.1', () => {
    const salt = bytes('I1BsxtFttlv3u_Oo94xnmw')
    const record = encryptRecord(
      Buffer.from('I am the walrus'),
      bytes('yqdlZ-tYemfogSmv7Ws5PQ'),
      salt,
      new Uint8Array(),
    )
    expect(record.toString('base64url')).toBe('I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg')
  })

  test('is encrypted as in RFC 8291, appendix A', () => {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
    const text = Buffer.from('When I grow up, I want to be a watermelon')
    const keys = { p256dh: BROWSER_KEY, auth: AUTH }
    const message = encryptPushMessage(text, keys, pair, bytes('DGv6ra1nlYgDCS1FRnbzlw'))
    expect(message.toString('base64url')).toBe(MESSAGE)
  })

  test('has a salt and a key of its own, and only the browser can read it', () => {
    const browser = createECDH('prime256v1')
    const keys = { p256dh: browser.generateKeys('base64url'), auth: AUTH }
    const [first, second] = [1, 2].map(() => encryptPushMessage(Buffer.from('high tide'), keys))
    expect(first!.equals(second!)).toBe(false)
    expect(decryptPushMessage(first!, browser, AUTH)).toBe('high tide')
    const other = createECDH('prime256v1')
    other.generateKeys()
    expect(() => decryptPushMessage(first!, other, AUTH)).toThrow()
  })

  test('is refused for keys that are no point of the curve', () => {
    for (const p256dh of ['', 'AAAA', `${BROWSER_KEY.slice(0, -2)}AA`])
      expect(() => encryptPushMessage(Buffer.from('x'), { p256dh, auth: AUTH })).toThrow()
  })
})

describe('the token of a sender', () => {
  test('is checked as in RFC 8292, section 2.4', () => {
    const example =
      'vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs'
    expect(vapidClaims(example)).toMatchObject({ aud: 'https://push.example.net', sub: 'mailto:push@example.com' })
  })

  test('names the push service, an end within 24 hours, and a contact', () => {
    const now = Date.parse('2026-03-14T12:00:00Z')
    const keys = newVapidKeys()
    const header = vapidAuthorization('https://push.example/a/b?c', keys, { now, contact: 'mailto:ada@example.org' })
    expect(vapidClaims(header)).toEqual({
      aud: 'https://push.example',
      exp: now / 1000 + 12 * 3600,
      sub: 'mailto:ada@example.org',
      publicKey: keys.publicKey,
    })
  })
})
