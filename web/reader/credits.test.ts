import { expect, it } from 'vitest'
import { creditsOf, transcriptsOf } from './credits.ts'

it('shows people with roles, and not the authors again', () => {
  const people = [
    { name: 'Ada', role: 'author' },
    { name: 'Ada', role: 'host' },
    { role: 'guest', url: 'https://a.example/' },
    { name: 'Ben', role: 'Guest' },
  ]
  expect(creditsOf({ people }).map(({ name, role }) => `${name}, ${role}`)).toEqual(['Ada, host', 'Ben, Guest'])
})

it('shows eight people at most', () => {
  expect(creditsOf({ people: Array(20).fill({ name: 'Ada', role: 'host' }) })).toHaveLength(8)
})

it('shows one transcript for each language, in the most readable format', () => {
  const transcripts = [
    { url: 'https://a.example/json', type: 'application/json', language: 'en' },
    { url: 'https://a.example/html', type: 'text/html; charset=utf-8', language: 'en' },
    { url: 'https://a.example/odd', type: 'x/y', language: 'de' },
    { url: 'https://a.example/plain' },
  ]
  expect(transcriptsOf({ podcast: { transcripts } }).map(({ url }) => url.slice(18))).toEqual(['html', 'odd', 'plain'])
})
