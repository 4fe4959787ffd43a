/** Shows the page. Loaded after the texts of its language (main.ts), which its modules use as constants. */
import { mount } from 'svelte'
import App from './App.svelte'

export function startPage(): void {
  mount(App, { target: document.body })
}
