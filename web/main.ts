/** The entry point of the page. */
import { mount } from 'svelte'
import App from './App.svelte'
import { registerServiceWorker } from './shell/offline.ts'
import './style/tokens.css'
import './style/base.css'
import './style/prose.css'

mount(App, { target: document.body })
registerServiceWorker()
