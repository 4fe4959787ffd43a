/**
 * Twelve typical weeks: how the publishing of about a thousand feeds is spread over the hours, learned once and then fixed.
 * After ten acts a feed is already known to be like one of these; its own pattern is learned on top of it (profile.ts).
 *
 * A shape is a weight, the share of feeds that are like it, and 168 digits from Monday 00:00 UTC; digit d of 64 says that in
 * this hour the feed publishes 0.02 * 800^(d/63) times as much as in the mean one.
 */
export interface Shape {
  readonly logWeight: number
  /** Density of each hour of the week, of mean 1. */
  readonly week: Float64Array
  /** The mean of each hour of the day and of each day of the week, and their logarithms. */
  readonly hours: Float64Array
  readonly weekdays: Float64Array
  readonly logHours: Float64Array
  readonly logWeekdays: Float64Array
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'

const LEARNT: readonly (readonly [number, string])[] = [
  [
    0.123,
    'SOKHHKLVZchghihhggfdfheZVNNJJMQZbfgghhhiiffffgdbWRLJJNSXcghghiihhfeeefdZVROJJKRUZefhjjhhhefffedYVRKJKLOXadfgihiggeedeebXSNMHHFIQVWZbccaZaYZZZaXVSRHCDFHMQUYabbaaZZZaaZaV',
  ],
  [
    0.12,
    'cddccbZUURTVWZbdefffffeeedddcbYWTSSTVabdefffffedddddcbYWTSTTWZcdefffeeeddddcbaYWTSSUWZbefefeeefeddddcaYVSTSTWZbdeeeeeedccbbbaaYVTRRRSWYbbddcccccbbcabZXVTSQRTWYaccdddeed',
  ],
  [
    0.112,
    'WTQIB010008JTcfgjiiijigfbaVOF30007FNVdhijkkkkkigebXQID1040DNVfikkkkklkjgebXQG73100DMVeijkkklkkhfdZXOF81300BLUdijjkkjjjgdaWRKE110006HPXceddfdccbYWSOJA533003HQXcdddcdcaaY',
  ],
  [
    0.101,
    '185CFJUdgkjikmjmjfaVWdOLE989KMUekilimlmkkegYVUMHJGC7HYVdjjliomljjkbXYSaHH5CBJPSZgjljlmmjjeaYeSLIG780FLUbfhjiijjjihcWVbNPG53018KSVaXZTWaTSPNOMIIF600008DOPSTTRWWWTSMNNKED',
  ],
  [
    0.095,
    'bbYWTPLKNPXZcffggffffffecbbYTRLKPQWZcfgfgfffeffdbbaXUPMKNQVYcfggggefefedcbaYUOLLLQVZcfffgfgfffeccbaXTOMMNOUZcffggfeffffdbZYWUQMKJPTXadeffddeedcdbaYXUROLNOSWZdfhfeeddeec',
  ],
  [
    0.093,
    'JIB0000001CLVgjkkkkkkhcWUQNH300008CNYjmnmmnmmkfaXSMG700004CLZkooonnnnlgaXSNKD00001ANZknoonnnmjdXVRMI6000019MXimmmllkjfZTQLIE6000000CLUXVTTTRPPLKIFFA4200002GOVWVTTRSPMML',
  ],
  [
    0.08,
    'ZZaZbabbcdeefedddcbZaaZYYYYYZbaaceeddddccbbaZaYYYYXZaabaacddddcccbbbZaZYZYYYZaabbcccddccdbbaaaYYYZZYZbbbcbcddeededbbZcZZYXYZZaabbbbddcccdcbbaaZZZZZXababbcbcccccdcbaabaY',
  ],
  [
    0.075,
    'HBCDSYdefggfeefffedbaWUICCCJSZbeffffedeeffdbaYTJE9EISXbefgfddeeeeeecZYUKFADEPYaedeedeeeegffcZZSLH9DLRXbfefffefgghhgccZVKGBCHRXceggfeeffghffdbXTLGCBHPYadfffgfgfgffecaXTJ',
  ],
  [
    0.061,
    'hdaXVPJH71CDISVZedfgiikkihebYQMI84AJNSYbdghhiijkjhedaXQL95AHNUXbfeghiijjjgebWUJC841CJQXbeeghijkkigdcYUNIC6BDHSXbdgihijjkjeebWRME985GDRSYbdeegeffgcaXWTMC69BGHNRVbbdegffg',
  ],
  [
    0.057,
    'MUYcfgjjhhhggfdbcWTPGFJGNUacfgjijhgggfecaXVPKGKHLSZcfgjkhghgfeecZXTNLIHKQVZbdgjhhfggfddbbWSOJLFIOUZcggjiigghffdcZXTQLFHHKPXadegeeddcdbcYVURMIBFBGNVZefeeddcbZbZXTTPMHJFK',
  ],
  [
    0.045,
    'fPBAYQMKdPOLiTONpYSQrWMNoVJCfSTReTJIiTPNrbWXuZPRpaNDiVRQfUKMkULNrZVXtbQTqaMGgYWRhPFJlWORsZRTtYSSpaNMgURNePIOlTIMpVTRrUNOmUF9eQGOfRBEgFDGjNKIhJ9CeO5BaMIIcMFHeH8HjJHLiMHC',
  ],
  [
    0.038,
    'ijkhhhhedZVURRQOOJMWaYcfjjiijgiecZWWUQKJNOOZbZcdjjhgjgheeaVTTQKMOMNVbYcekjjgjigeeaWRURONOOOTaacejjjgjihcdZVVSSSNNMRUaZZZgecdebcbbXWXXSMLNPQSZXXZdedcccZZaXUVRQNJMMPZaadf',
  ],
]

export const SHAPES: readonly Shape[] = LEARNT.map(([weight, digits]) => shapeOf(weight, digits))

function shapeOf(weight: number, digits: string): Shape {
  const week = Float64Array.from(digits, (digit) => 0.02 * 800 ** (DIGITS.indexOf(digit) / 63))
  const mean = week.reduce((sum, n) => sum + n) / week.length
  const hours = new Float64Array(24)
  const weekdays = new Float64Array(7)
  week.forEach((density, i) => {
    week[i] = density / mean
    hours[i % 24]! += density / mean / 7
    weekdays[Math.floor(i / 24)]! += density / mean / 24
  })
  return {
    logWeight: Math.log(weight),
    week,
    hours,
    weekdays,
    logHours: hours.map(Math.log),
    logWeekdays: weekdays.map(Math.log),
  }
}
