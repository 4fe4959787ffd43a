/** Who points at a strategy, or picks some in the list, sees them before the others. */
const root = document.documentElement
const buttons = [...document.querySelectorAll('[data-pick]')]
const series = [...document.querySelectorAll('[data-strategy], [data-pick]')]
const picked = new Set()

function show(names) {
  root.classList.toggle('picked', names.size > 0)
  for (const one of series) one.classList.toggle('on', names.has(one.dataset.strategy ?? one.dataset.pick))
}

for (const button of buttons) {
  const name = button.dataset.pick
  button.addEventListener('click', () => {
    if (!picked.delete(name)) picked.add(name)
    button.setAttribute('aria-pressed', String(picked.has(name)))
    show(picked)
  })
  button.addEventListener('pointerenter', () => show(new Set([...picked, name])))
  button.addEventListener('pointerleave', () => show(picked))
}

for (const line of document.querySelectorAll('svg .series')) {
  line.addEventListener('pointerenter', () => show(new Set([line.dataset.strategy])))
  line.addEventListener('pointerleave', () => show(picked))
}
