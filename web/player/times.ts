/** Times in recordings, as in "1:02:03", and those in texts, which become buttons. */

/** "4:05", "1:02:03". */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** Not a time of day ("9:30 am") or a ratio of something longer. */
const TIME = /(?<![\d:.,/])(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)(?![\d:]|\s?(?:[ap]\.?m\b|Uhr|h\b))/gi
const MOST_LINKED = 500

export interface FoundTime {
  from: number
  to: number
  seconds: number
}

/** Times in a text, up to the end of the recording. */
export function timesIn(text: string, durationSeconds = Number.POSITIVE_INFINITY): FoundTime[] {
  return [...text.matchAll(TIME)].flatMap(({ 0: found, 1: hours = '0', 2: minutes, 3: seconds, index }) => {
    const at = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    return at <= durationSeconds ? [{ from: index, to: index + found.length, seconds: at }] : []
  })
}

/** Makes the times in an element buttons. */
export function linkTimes(
  root: Element,
  durationSeconds: number | undefined,
  label: (time: string) => string,
  onTime: (seconds: number) => void,
): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode as Text)
  let linked = 0
  for (const node of nodes) {
    if (node.parentElement?.closest('a, button, pre, code')) continue
    // From the end, so that the offsets of earlier times stay valid.
    for (const { from, to, seconds } of timesIn(node.data, durationSeconds).reverse()) {
      if (++linked > MOST_LINKED) return
      const time = node.splitText(from)
      time.splitText(to - from)
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'link'
      button.setAttribute('aria-label', label(time.data))
      button.textContent = time.data
      button.addEventListener('click', () => onTime(seconds))
      time.replaceWith(button)
    }
  }
}
