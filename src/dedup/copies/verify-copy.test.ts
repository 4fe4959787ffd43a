import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY } from '../../model/index.ts'
import { signature, type Text, verifyCopy } from '../index.ts'

const LEAD =
  'The council of Port Else voted on Monday to build a tram line from market to port, ending a quarrel of nine years.'
const REST = 'A goose was found in a bakery of Varnby. The chess champion resigned after twelve moves.'
const TRAM = { title: 'Council approves tram line to the harbour', summary: LEAD }

function judged(a: Text, b: Text, apartMs = 0): { same: boolean; reason: string } {
  const { same, reason } = verifyCopy(signature(a), signature(b), apartMs)
  return { same, reason }
}

describe('copies', () => {
  test.each<[string, Text, string]>([
    ['the same', TRAM, 'same text'],
    [
      'in capitals, from an agency',
      { title: 'COUNCIL APPROVES TRAM LINE TO THE HARBOUR (AP)', summary: `AP - ${LEAD}` },
      'same text',
    ],
    ['with a word changed', { ...TRAM, summary: LEAD.replace('nine years', 'ten years') }, 'same text but for 1 word'],
    [
      'with two words changed',
      { ...TRAM, summary: LEAD.replace('quarrel', 'dispute').replace('build', 'fund') },
      'same text but for 2 words',
    ],
    [
      'cut',
      { ...TRAM, summary: 'The council of Port Else voted on Monday to build a tram line...' },
      'same text, cut short',
    ],
    [
      'under another headline',
      { title: 'Nine-year quarrel over harbour ends', summary: LEAD },
      'same text, under another headline',
    ],
    ['under a headline that was cut', { title: 'Council approves', summary: LEAD }, 'same text'],
    [
      'with boilerplate behind it',
      { ...TRAM, summary: `${LEAD} The post Council approves tram line appeared first on Harbour Post.` },
      'same text, cut short',
    ],
  ])('%s', (_, other, reason) => {
    expect(judged(TRAM, other)).toEqual({ same: true, reason })
  })

  test.each<[string, Text, Text]>([
    [
      'a headline with a word put in',
      { title: 'Ferry sinks off Port Else, all saved' },
      { title: 'Old ferry sinks off Port Else, all saved' },
    ],
    [
      'a headline with its source',
      { title: 'Ferry sinks off Port Else, all saved' },
      { title: 'Ferry sinks off Port Else, all saved | Harbour Post' },
    ],
    ['a Chinese headline', { title: '海港市电车线路今日开通' }, { title: '海港市电车线路今日正式开通' }],
    [
      'a Chinese headline, quoted otherwise',
      { title: '市长称“绝不放弃”电车线路' },
      { title: '市长称绝不放弃电车线路' },
    ],
    ['a Japanese headline', { title: '港の路面電車がきょう開業' }, { title: '港の路面電車がきょう開業へ' }],
    ['a Thai headline', { title: 'รถรางสายใหม่เปิดให้บริการวันนี้' }, { title: 'รถรางสายใหม่เปิดให้บริการแล้ววันนี้' }],
  ])('without text: %s', (_, a, b) => {
    expect(judged(a, b).same).toBe(true)
  })
})

test('a text rewritten within hours is detected by its long title and one sentence', () => {
  const title = 'Gunmen seize contractor from his house in Port Else'
  const [first, later] = [
    'Gunmen abducted a contractor who worked with the army from his house, officials of Port Else said on Wednesday.',
    'A guard said that gunmen abducted a contractor who worked with the army, and snatched him when he opened the door.',
  ]
  expect(judged({ title, summary: first }, { title, summary: later }).same).toBe(true)
  expect(judged({ title, summary: first }, { title, summary: later }, DAY).same).toBe(false)
  expect(judged({ title: 'Gunmen seize contractor', summary: first }, { title, summary: later }).same).toBe(false)
})

test('the threshold applies to texts and titles: at 1 all words must match', () => {
  const same = (a: Text, b: Text, threshold: number) => verifyCopy(signature(a), signature(b), 0, threshold).same
  const edited = { ...TRAM, summary: LEAD.replace('quarrel', 'dispute').replace('build', 'fund') }
  const [title, longer] = ['Ferry sinks off Port Else, all saved', 'Old ferry sinks off Port Else, all saved']
  expect([0.66, 0.95, 1].map((threshold) => same(TRAM, edited, threshold))).toEqual([true, false, false])
  expect([0.66, 0.95, 1].map((threshold) => same({ title }, { title: longer }, threshold))).toEqual([
    true,
    false,
    false,
  ])
  expect([same(TRAM, TRAM, 1), same({ title }, { title }, 1)]).toEqual([true, true])
})

test('without a title, the beginning of the text is used', () => {
  const notice =
    'We use cookies to make this site better and to show you news and offers that may interest you, see our terms.'
  const post = { title: '', summary: LEAD }
  expect(judged(post, { title: '', summary: `${LEAD} What do you think?` }).same).toBe(true)
  expect(
    judged(
      { title: '', summary: `Goose found in bakery. ${notice}` },
      { title: '', summary: `Chess title goes north. ${notice}` },
    ).same,
  ).toBe(false)
})

describe('not copies', () => {
  const daily = (date: string, summary = ''): Text => ({ title: `10 things you need to know today: ${date}`, summary })
  const serial = { same: false, reason: 'same headline frame, other number or date: kept apart' }

  test.each<[string, Text, Text]>([
    ['without text', daily('November 16, 2012'), daily('November 17, 2012')],
    ['with a text that is always the same', daily('November 16', LEAD), daily('November 18', LEAD)],
    ['by weekday', { title: 'Morning briefing for Tuesday' }, { title: 'Morning briefing for Wednesday' }],
    ['by part', { title: 'How the harbour was built, part II' }, { title: 'How the harbour was built, part III' }],
    ['in French', { title: 'La météo du 3 août' }, { title: 'La météo du 4 août' }],
    ['in Russian', { title: 'Главные события: понедельник' }, { title: 'Главные события: вторник' }],
    ['in Chinese', { title: '歌唱比赛第五期精彩回顾' }, { title: '歌唱比赛第十期精彩回顾' }],
  ])('serial headlines %s', (_, a, b) => {
    expect(judged(a, b)).toEqual(serial)
  })

  test.each<[string, Text, Text, string]>([
    [
      'a template with another subject',
      {
        title: 'Alder Bank raises prime rate',
        summary:
          'Alder Bank said it is raising its prime lending rate by a quarter point, effective at once for clients.',
      },
      {
        title: 'Birch Trust raises prime rate',
        summary:
          'Birch Trust said it is raising its prime lending rate by a quarter point, effective at once for clients.',
      },
      'same wording, other subject',
    ],
    [
      'a template with other figures',
      {
        title: 'Money market helped',
        summary:
          'The central bank said it gave the money market help of around 120 million today, after 35 million before.',
      },
      {
        title: 'Money market helped',
        summary:
          'The central bank said it gave the money market help of around 460 million today, after 15 million before.',
      },
      'same wording, other figures',
    ],
    [
      'a template with a name more',
      {
        title: 'Harbour Insured Fund sets payout',
        summary:
          'Monthly dividend 7.1 crowns against 7.1 crowns before. Pay 31, record 16. Note: Harbour Insured Income Fund of the coast.',
      },
      {
        title: 'Harbour Elmshire Insured Fund sets payout',
        summary:
          'Monthly dividend 6.6 crowns against 6.6 crowns before. Pay 31, record 16. Note: Harbour Elmshire Insured Income Fund of the coast.',
      },
      'same wording, and a name more in headline and text',
    ],
    [
      'markets of two towns',
      {
        title: 'Varnby hog market',
        summary:
          'Trade in hogs at Varnby was moderately active, prices steady to strong, the ministry said. Sows were firm under 500 pounds.',
      },
      {
        title: 'Elmshire hog market',
        summary:
          'Trade in hogs at Elmshire was moderately active, prices steady to strong, the ministry said. Sows were firm under 500 pounds.',
      },
      'same wording, other subject',
    ],
    [
      'soybeans and soybean meal',
      {
        title: 'Soybean exports fall',
        summary:
          'Exports of soybean in the week that ended Thursday were lower than a year ago, the ministry said in its weekly report.',
      },
      {
        title: 'Soybean meal exports fall',
        summary:
          'Exports of soybean meal in the week that ended Thursday were lower than a year ago, the ministry said in its weekly report.',
      },
      'same wording, and a name more in headline and text',
    ],
    [
      'raises and cuts',
      {
        title: 'Alder Bank raises prime rate',
        summary:
          'Alder Bank said it is raising its prime lending rate by a quarter point, effective at once for clients.',
      },
      {
        title: 'Alder Bank cuts prime rate',
        summary:
          'Alder Bank said it is cutting its prime lending rate by a quarter point, effective at once for clients.',
      },
      'same wording, another word in headline and text',
    ],
    [
      'a digest, and the first report in it',
      TRAM,
      { title: 'Morning news in brief', summary: `${LEAD} ${REST}` },
      'one contains the other, among reports on other things',
    ],
    [
      'a digest that names what is in it',
      TRAM,
      { title: 'Tram line approved; goose in bakery; chess champion resigns', summary: `${LEAD} ${REST}` },
      'one contains the other, among reports on other things',
    ],
    [
      'two countries in Chinese',
      { title: '美菲外长举行会谈讨论南海局势' },
      { title: '美日外长举行会谈讨论南海局势' },
      'same headline frame, another name',
    ],
    [
      'two countries in Japanese',
      { title: '日米首脳会談を開催、貿易問題を協議' },
      { title: '日韓首脳会談を開催、貿易問題を協議' },
      'same headline frame, another name',
    ],
    [
      'two people in Chinese',
      { title: '李明当选海港市市长' },
      { title: '王芳当选海港市市长' },
      'same headline frame, another name',
    ],
    [
      'what neither headline speaks of, though both speak of one thing',
      { title: 'Elephants recognise voices of strangers', summary: LEAD },
      { title: 'How elephants tell friendly voices apart', summary: LEAD },
      'a passage in common that neither headline speaks of',
    ],
    [
      'boilerplate under unrelated headlines',
      {
        title: 'Goose found in bakery',
        summary:
          'Read all about it in our weekend edition, which you can order at the kiosk or from our friendly web shop.',
      },
      {
        title: 'Chess title goes north',
        summary:
          'Read all about it in our weekend edition, which you can order at the kiosk or from our friendly web shop.',
      },
      'a passage in common that neither headline speaks of',
    ],
    ['one word', { title: 'Photos' }, { title: 'Photos' }, 'headlines too short to tell, and no text'],
    [
      'another name',
      { title: 'Alder beat Port Else in cup final' },
      { title: 'Birch beat Port Else in cup final' },
      'other headlines, and no text',
    ],
    ['nothing at all', { title: '' }, { title: '' }, 'headlines too short to tell, and no text'],
    [
      'a retelling',
      TRAM,
      {
        title: 'Trams return to Port Else',
        summary:
          'Port Else will have trams again: councillors agreed on a route between market and port after long dispute.',
      },
      'too little text in common',
    ],
  ])('%s', (_, a, b, reason) => {
    expect(judged(a, b)).toEqual({ same: false, reason: `${reason}: kept apart` })
  })

  test('reports on funds of five states', () => {
    const fund = (state: string): Text => ({
      title: `Harbour ${state} fund sets payout`,
      summary: `Monthly dividend 7.1 crowns against 7.1 before, pay 31, record 16. Note: Harbour ${state} Income Fund of the coast.`,
    })
    const states = ['Elmshire', 'Varnby', 'Northern Islands', 'Upper Alder', 'Lakeland']
    for (const [i, one] of states.entries())
      for (const other of states.slice(i + 1)) expect(judged(fund(one), fund(other)).same).toBe(false)
  })

  test('a report of another day that differs in one figure or a few words', () => {
    const report = (millions: number, end: string): Text => ({
      title: 'Central bank helps money market',
      summary: `The central bank said it gave the money market help of around ${millions} million today, dealers said after ${end}.`,
    })
    const first = report(120, 'the morning session in the capital')
    expect(judged(first, report(460, 'the morning session in the capital'), DAY)).toEqual({
      same: false,
      reason: 'same wording, other figures: kept apart',
    })
    const others = report(120, 'noon, when trade was slow again')
    expect(judged(first, others).same).toBe(true)
    expect(judged(first, others, DAY)).toEqual({
      same: false,
      reason: 'much text in common, but of another day: kept apart',
    })
    expect(judged(first, first, DAY).same).toBe(true)
  })

  test('a title without text counts for three days', () => {
    const title = 'Minister meets ambassador of the islands'
    expect(judged({ title }, { title }, 3 * DAY).same).toBe(true)
    expect(judged({ title }, { title }, 3 * DAY + 1).same).toBe(false)
    expect(judged(TRAM, TRAM, 300 * DAY).same).toBe(true)
  })
})

test('the result does not depend on the order, and a text with a title is a copy of itself', () => {
  const text = fc.record({ title: fc.lorem({ maxCount: 12 }), summary: fc.lorem({ maxCount: 50 }) })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(judged(a, b)).toEqual(judged(b, a))
      if (a.title.split(' ').length > 3) expect(judged(a, a).same).toBe(true)
    }),
  )
})
