import { describe, expect, test } from 'vitest'
import { createAddressGuard } from './address-guard.ts'

const guard = createAddressGuard([])

describe('address guard', () => {
  test.each([
    ['0.0.0.0', 'an address of this network'],
    ['0.255.255.255', 'an address of this network'],
    ['10.0.0.1', 'a private address'],
    ['10.255.255.255', 'a private address'],
    ['100.64.0.1', 'a carrier-grade NAT address'],
    ['100.100.100.200', 'a carrier-grade NAT address'],
    ['127.0.0.1', 'a loopback address'],
    ['127.255.255.254', 'a loopback address'],
    ['168.63.129.16', 'a metadata service of a cloud'],
    ['169.254.169.254', 'a link-local address'],
    ['172.16.0.1', 'a private address'],
    ['172.31.255.255', 'a private address'],
    ['192.0.0.192', 'a reserved address'],
    ['192.0.2.1', 'a reserved address'],
    ['192.88.99.1', 'a reserved address'],
    ['192.168.1.1', 'a private address'],
    ['198.18.0.1', 'a reserved address'],
    ['198.51.100.1', 'a reserved address'],
    ['203.0.113.1', 'a reserved address'],
    ['224.0.0.1', 'a multicast address'],
    ['239.255.255.255', 'a multicast address'],
    ['240.0.0.1', 'a reserved address'],
    ['255.255.255.255', 'a reserved address'],
    ['::', 'not a public address'],
    ['::1', 'not a public address'],
    ['::7f00:1', 'not a public address'],
    ['100::1', 'not a public address'],
    ['fc00::1', 'not a public address'],
    ['fd00:ec2::254', 'not a public address'],
    ['fe80::1', 'not a public address'],
    ['fe80::1%lo', 'not a public address'],
    ['fec0::1', 'not a public address'],
    ['ff02::1', 'not a public address'],
    ['64:ff9b:1::1', 'not a public address'],
    ['2001::1', 'a reserved address'],
    ['2001:db8::1', 'a reserved address'],
    ['3fff::1', 'a reserved address'],
    ['::ffff:127.0.0.1', 'a loopback address'],
    ['::FFFF:7f00:1', 'a loopback address'],
    ['0:0:0:0:0:ffff:a9fe:a9fe', 'a link-local address'],
    ['64:ff9b::10.0.0.1', 'a private address'],
    ['64:ff9b::7f00:1', 'a loopback address'],
    ['2002:7f00:1::', 'a loopback address'],
    ['2002:a9fe:a9fe::1', 'a link-local address'],
    ['localhost', 'not an IP address'],
    ['127.1', 'not an IP address'],
    ['', 'not an IP address'],
  ])('blocks %s: %s', (address, reason) => {
    expect(guard.blockReason(address)).toBe(reason)
  })

  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2001:200::1',
    '2606:4700::1',
    '2a00::1',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
  ])('allows %s', (address) => {
    expect(guard.blockReason(address)).toBeUndefined()
  })

  test('allows exempt addresses in any notation, and no others', () => {
    const lenient = createAddressGuard(['127.0.0.0/8', '::1/128', '10.1.2.3', ' fd00::/8'])
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::1', '0:0:0:0:0:0:0:1', '10.1.2.3', 'fd12::1'])
      expect(lenient.blockReason(address)).toBeUndefined()
    for (const address of ['10.1.2.4', '::2', 'fc00::1', '169.254.169.254', '::ffff:10.1.2.4'])
      expect(lenient.blockReason(address)).toBeTypeOf('string')
  })

  test.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8', '::1/129', '10.0.0.0/x', '10.0.0.0/'])(
    'rejects "%s", which is not a network',
    (network) => {
      expect(() => createAddressGuard([network])).toThrow(/is not a network/)
    },
  )
})
