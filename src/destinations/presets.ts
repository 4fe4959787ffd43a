/**
 * The services that entries can be sent to: data only. In templates, `{{title}}`, `{{url}}`, `{{text}}` (its beginning), `{{author}}`,
 * `{{source}}` (the feed), `{{date}}` and `{{sendId}}` (the same for each try) are of the entry; other names are fields of the preset, or
 * values from the response to its first request.
 */
import type { Preset, PresetDescription, PresetField } from './preset.ts'

const serverField = (preset?: string): PresetField => ({
  name: 'address',
  label: 'Address of the server',
  kind: 'address',
  ...(preset && { preset, isOptional: true }),
})
const token = (label = 'API token'): PresetField => ({ name: 'token', label, isSecret: true })
const LINK = '{{title}}\n{{url}}'
const BEARER = { authorization: 'Bearer {{token}}' }

export const PRESETS: readonly Preset[] = [
  {
    id: 'wallabag',
    name: 'Wallabag',
    hint: 'Create a client under API clients management.',
    needsUrl: true,
    fields: [
      serverField('https://app.wallabag.it'),
      { name: 'clientId', label: 'Client ID' },
      { name: 'clientSecret', label: 'Client secret', isSecret: true },
      { name: 'user', label: 'User name' },
      { name: 'password', label: 'Password', isSecret: true },
    ],
    first: {
      method: 'POST',
      url: '{{address}}/oauth/v2/token',
      form: {
        grant_type: 'password',
        client_id: '{{clientId}}',
        client_secret: '{{clientSecret}}',
        username: '{{user}}',
        password: '{{password}}',
      },
      answer: { accessToken: ['access_token'] },
    },
    request: {
      method: 'POST',
      url: '{{address}}/api/entries.json',
      headers: { authorization: 'Bearer {{accessToken}}' },
      json: { url: '{{url}}', title: '{{title}}' },
    },
  },
  {
    id: 'readwise',
    name: 'Readwise Reader',
    hint: 'Get an access token at https://readwise.io/access_token.',
    needsUrl: true,
    fields: [token('Access token')],
    request: {
      method: 'POST',
      url: 'https://readwise.io/api/v3/save/',
      headers: { authorization: 'Token {{token}}' },
      json: {
        url: '{{url}}',
        title: '{{title}}',
        author: '{{author}}',
        published_date: '{{date}}',
        saved_using: 'Freshet',
      },
    },
  },
  {
    id: 'instapaper',
    name: 'Instapaper',
    needsUrl: true,
    fields: [
      { name: 'user', label: 'E-mail or user name' },
      { name: 'password', label: 'Password', isSecret: true, isOptional: true },
    ],
    request: {
      method: 'POST',
      url: 'https://www.instapaper.com/api/add',
      login: { user: '{{user}}', password: '{{password}}' },
      form: { url: '{{url}}', title: '{{title}}' },
    },
  },
  {
    id: 'linkding',
    name: 'Linkding',
    hint: 'The API token is under Settings, Integrations.',
    needsUrl: true,
    fields: [serverField(), token()],
    request: {
      method: 'POST',
      url: '{{address}}/api/bookmarks/',
      headers: { authorization: 'Token {{token}}' },
      json: { url: '{{url}}', title: '{{title:512}}', unread: true },
    },
  },
  {
    id: 'karakeep',
    name: 'Karakeep',
    hint: 'Create an API key under User settings, API keys.',
    needsUrl: true,
    fields: [serverField('https://cloud.karakeep.app'), token('API key')],
    request: {
      method: 'POST',
      url: '{{address}}/api/v1/bookmarks',
      headers: BEARER,
      json: { type: 'link', url: '{{url}}', title: '{{title:1000}}' },
    },
  },
  {
    id: 'shiori',
    name: 'Shiori',
    needsUrl: true,
    fields: [
      serverField(),
      { name: 'user', label: 'User name' },
      { name: 'password', label: 'Password', isSecret: true },
    ],
    first: {
      method: 'POST',
      url: '{{address}}/api/v1/auth/login',
      json: { username: '{{user}}', password: '{{password}}' },
      answer: { accessToken: ['message.token', 'token'] },
    },
    request: {
      method: 'POST',
      url: '{{address}}/api/bookmarks',
      headers: { authorization: 'Bearer {{accessToken}}' },
      json: { url: '{{url}}', title: '{{title}}', createArchive: true },
    },
  },
  {
    id: 'raindrop',
    name: 'Raindrop.io',
    hint: 'Create an app under Settings, Integrations, and copy its test token.',
    needsUrl: true,
    fields: [token('Test token')],
    request: {
      method: 'POST',
      url: 'https://api.raindrop.io/rest/v1/raindrop',
      headers: BEARER,
      json: { link: '{{url}}', title: '{{title:1000}}', pleaseParse: {} },
      success: { name: 'result', value: true },
    },
  },
  {
    id: 'pinboard',
    name: 'Pinboard',
    hint: 'The API token is under Settings, Password; it looks like name:ABC123.',
    needsUrl: true,
    fields: [token()],
    request: {
      method: 'GET',
      url: 'https://api.pinboard.in/v1/posts/add',
      query: {
        auth_token: '{{token}}',
        format: 'json',
        url: '{{url}}',
        description: '{{title:255}}',
        toread: 'yes',
      },
      success: { name: 'result_code', value: 'done' },
    },
  },
  {
    id: 'notion',
    name: 'Notion',
    hint: 'Create an internal integration, and connect it to the page that entries are added to.',
    fields: [token('Integration secret'), { name: 'page', label: 'ID of the page' }],
    request: {
      method: 'POST',
      url: 'https://api.notion.com/v1/pages',
      headers: { ...BEARER, 'notion-version': '2022-06-28' },
      json: {
        parent: { page_id: '{{page}}' },
        properties: { title: { title: [{ text: { content: '{{title:2000}}' } }] } },
        children: [{ object: 'block', type: 'bookmark', bookmark: { url: '{{url}}' } }],
      },
    },
  },
  {
    id: 'telegram',
    name: 'Telegram',
    hint: 'Create a bot with @BotFather, and send it a message first.',
    fields: [token('Token of the bot'), { name: 'chat', label: 'ID of the chat, or @channel' }],
    request: {
      method: 'POST',
      url: 'https://api.telegram.org/bot{{token}}/sendMessage',
      json: { chat_id: '{{chat}}', text: '{{title:2000}}\n{{url}}' },
      success: { name: 'ok', value: true },
    },
  },
  {
    id: 'matrix',
    name: 'Matrix',
    hint: 'The access token is under Settings, Help; the ID of the room under its advanced settings.',
    fields: [
      serverField('https://matrix-client.matrix.org'),
      token('Access token'),
      { name: 'room', label: 'ID of the room' },
    ],
    request: {
      method: 'PUT',
      url: '{{address}}/_matrix/client/v3/rooms/{{room}}/send/m.room.message/{{sendId}}',
      headers: BEARER,
      json: { msgtype: 'm.text', body: LINK },
    },
  },
  {
    id: 'discord',
    name: 'Discord',
    hint: 'Create a webhook in the settings of the channel, under Integrations.',
    fields: [{ name: 'address', label: 'Address of the webhook', kind: 'address', isSecret: true }],
    request: {
      method: 'POST',
      url: '{{address}}',
      json: { content: '{{title:1000}}\n{{url:900}}', allowed_mentions: { parse: [] } },
    },
  },
  {
    id: 'slack',
    name: 'Slack',
    hint: 'Create an incoming webhook for the channel.',
    fields: [{ name: 'address', label: 'Address of the webhook', kind: 'address', isSecret: true }],
    request: { method: 'POST', url: '{{address}}', json: { text: '{{title|html}}\n{{url|html}}' } },
  },
  {
    id: 'mastodon',
    name: 'Mastodon',
    hint: 'Create an application under Preferences, Development, with the scope write:statuses.',
    fields: [
      serverField(),
      token('Access token'),
      {
        name: 'visibility',
        label: 'Visibility',
        choices: ['private', 'unlisted', 'public', 'direct'],
        preset: 'private',
        isOptional: true,
      },
    ],
    request: {
      method: 'POST',
      url: '{{address}}/api/v1/statuses',
      headers: { ...BEARER, 'idempotency-key': '{{sendId}}' },
      json: { status: '{{title:400}}\n{{url}}', visibility: '{{visibility}}' },
    },
  },
  {
    id: 'ntfy',
    name: 'ntfy',
    fields: [
      serverField('https://ntfy.sh'),
      { name: 'topic', label: 'Topic' },
      { name: 'token', label: 'Access token', isSecret: true, isOptional: true },
    ],
    request: {
      method: 'POST',
      url: '{{address}}',
      headers: BEARER,
      json: { topic: '{{topic}}', title: '{{source:200}}', message: '{{title:2000}}', click: '{{url}}' },
    },
  },
  {
    id: 'gotify',
    name: 'Gotify',
    hint: 'Create an application and copy its token.',
    fields: [serverField(), token('Token of the application')],
    request: {
      method: 'POST',
      url: '{{address}}/message',
      headers: { 'x-gotify-key': '{{token}}' },
      json: {
        title: '{{source:200}}',
        message: LINK,
        extras: { 'client::notification': { click: { url: '{{url}}' } } },
      },
    },
  },
  {
    id: 'pushover',
    name: 'Pushover',
    fields: [token('Token of the application'), { name: 'user', label: 'User key', isSecret: true }],
    request: {
      method: 'POST',
      url: 'https://api.pushover.net/1/messages.json',
      json: {
        token: '{{token}}',
        user: '{{user}}',
        title: '{{source:250}}',
        message: '{{title:500}}\n{{url:500}}',
      },
      success: { name: 'status', value: 1 },
    },
  },
  {
    id: 'apprise',
    name: 'Apprise API',
    hint: 'The key is that of a stored configuration.',
    fields: [serverField(), { name: 'key', label: 'Configuration key', isSecret: true }],
    request: {
      method: 'POST',
      url: '{{address}}/notify/{{key}}',
      json: { title: '{{source:200}}', body: LINK, type: 'info' },
    },
  },
  {
    id: 'http',
    name: 'HTTP (JSON)',
    hint: 'Any server that accepts a POST of JSON.',
    fields: [
      { name: 'address', label: 'Address', kind: 'address', isSecret: true },
      { name: 'authorization', label: 'Authorization header', isSecret: true, isOptional: true },
    ],
    request: {
      method: 'POST',
      url: '{{address}}',
      headers: { authorization: '{{authorization}}', 'idempotency-key': '{{sendId}}' },
      json: {
        id: '{{sendId}}',
        title: '{{title}}',
        url: '{{url}}',
        text: '{{text}}',
        author: '{{author}}',
        source: '{{source}}',
        date: '{{date}}',
      },
    },
  },
]

/** Entries become Markdown files on the server. Only if its operator names a folder. */
export const FOLDER_PRESET: PresetDescription = {
  id: 'folder',
  name: 'Markdown files (Obsidian)',
  hint: 'Entries become files in your folder on the server.',
  fields: [],
}
