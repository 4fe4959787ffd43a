import { expect, test } from 'vitest'
import { serveDns } from './dns-server.fixture.ts'
import { createHostResolver } from './resolver.ts'

test('tries four addresses of a name with many', async () => {
  const manyAddresses = Array.from({ length: 20 }, (_, n) => `192.0.2.${n + 1}`)
  await using dns = await serveDns(() => manyAddresses)
  const lookup = createHostResolver([dns.address])
  const found = await lookup.addressesOf('many.example')
  lookup.close()
  expect(found).toHaveLength(4)
  expect(manyAddresses).toEqual(expect.arrayContaining(found))
})
