import { describe, expect, it, test } from 'vitest'
import type { EntryShape, GroupShape, MemberShape } from '../../api/index.ts'
import { type MorningStory, rankStories, storyOf } from './rank-stories.ts'
import { isMarketReport, isRecurring, recurringTitles } from './recurring-titles.ts'

let ids = 0

interface Report {
  outlet: string
  copyOf?: number
  title?: string
}

function story(title: string, reports: (string | Report)[], category = 'uncategorized'): MorningStory {
  const members = reports.map((report, i): MemberShape => {
    const { outlet, ...more } = typeof report === 'string' ? { outlet: report } : report
    const feedId = outlet.charCodeAt(0)
    const entry = { id: ++ids, feedId, url: `https://${outlet}.example/${ids}`, title, category, ...more }
    return { entry: entry as EntryShape, at: `2026-03-14T0${i}:00:00Z` } as MemberShape
  })
  const group = { id: ++ids, primary: members[0]?.entry } as GroupShape
  return storyOf(group, members)!
}

const none = recurringTitles([])
const titles = (stories: MorningStory[], recurring = none) =>
  rankStories(stories, 9, recurring).stories.map(({ primary }) => primary.title)

describe('stories', () => {
  it('are ranked by outlets with their own words: a wire text is one voice, however many print it', () => {
    const wire = ['a', 'b', 'c', 'd', 'e'].map((outlet) => ({ outlet, copyOf: 7 }))
    const stories = [story('Printed everywhere', wire), story('Reported twice', ['f', 'g'])]
    expect(stories.map(({ voices, outlets }) => [voices, outlets.length])).toEqual([
      [1, 5],
      [2, 2],
    ])
    expect(titles(stories)).toEqual(['Reported twice', 'Printed everywhere'])
  })

  it('of one outlet are none, even if it has several feeds', () => {
    const feeds = [1, 2].map((feedId) => ({
      entry: { id: feedId, feedId, url: `https://a.example/${feedId}` },
      at: `${feedId}`,
    }))
    expect(storyOf({ primary: feeds[0]?.entry } as GroupShape, feeds as MemberShape[])).toBeUndefined()
    expect(story('Again', ['a', 'a', 'b']).voices).toBe(2)
  })

  it('of one subject or one outlet do not fill the page', () => {
    const sports = [1, 2, 3].map((n) => story(`Match ${n}`, ['a', 'b', 'c', 'd'], 'sports'))
    const council = story('Council', ['e', 'f', 'g'], 'politics')
    expect(titles([...sports, council]).indexOf('Council')).toBe(1)
  })

  it.each([
    ['a market report', 'Stocks close higher on Wall Street'],
    ['a weather report', 'Wetter in Port Else: Regen und Weather forecast'],
    ['an episode', 'The Burrow Hour, episode 83'],
    ['a puzzle', 'Wordle answer for 14 March'],
  ])('that are %s never lead', (_, title) => {
    const stories = [story(title, ['a', 'b', 'c', 'd', 'e', 'f']), story('Tram line approved', ['g', 'h'])]
    expect(titles(stories)).toEqual(['Tram line approved', title])
    expect(rankStories(stories, 9, none).hasLead).toBe(true)
    expect(rankStories(stories.slice(0, 1), 9, none)).toMatchObject({ hasLead: false })
  })

  it('are at most as many as there is room for', () => {
    const many = Array.from({ length: 5 }, (_, i) => story(`No ${i}`, ['a', 'b']))
    expect(rankStories(many, 3, none).stories).toHaveLength(3)
    expect(rankStories([], 3, none)).toEqual({ stories: [], hasLead: false })
  })
})

test('a column is recognized by other titles of its feed', () => {
  const entry = (title: string, feedId = 1) => ({ feedId, title })
  const recurring = recurringTitles([
    entry('Ask Ada: may I sing?'),
    entry('Ask Ada: may I dance?'),
    entry('Rainfall on 3 May 2026'),
    entry('Rainfall on 4 June 2026'),
    entry('Council: a tram line', 2),
    entry('Goose found'),
  ])
  expect(isRecurring(entry('Ask Ada: may I whistle?'), recurring)).toBe(true)
  expect(isRecurring(entry('Rainfall on 1 July 2026'), recurring)).toBe(true)
  expect(isRecurring(entry('Ask Ada: may I whistle?', 2), recurring)).toBe(false)
  expect(isRecurring(entry('Council: a bridge', 2), recurring)).toBe(false)
  expect(isRecurring(entry('Goose found'), recurring)).toBe(false)
})

test.each([
  ['Dow Jones rises 200 points', true],
  ['FTSE 100 falls as oil slips', true],
  ['Aktien in Frankfurt: DAX schließt im Plus', true],
  ['Christmas market opens in Port Else', false],
  ['Farmers bring geese to market', false],
  ['Minister closes road', false],
])('"%s" is a market report: %s', (title, is) => expect(isMarketReport({ title })).toBe(is))
