import { expect, it } from 'vitest'
import { isPage, mayBePage } from './index.ts'

const PAGE = '<!doctype html><title>x</title>'

it.each<[string | undefined, string, boolean]>([
  ['text/html', PAGE, true],
  ['Text/HTML; charset=utf-8', 'just words', true],
  ['text/html', '', true],
  ['application/xhtml+xml', '<?xml version="1.0"?>\n<html xmlns="x">', true],
  [undefined, PAGE, true],
  [undefined, 'just words', false],
  ['text/plain', `\n <!-- made by hand -->\n<HTML><body>`, true],
  ['text/plain', 'a < b', false],
  ['application/octet-stream', '\xef\xbb\xbf<html>', true],
  ['text/xml', '<?xml version="1.0"?><rss version="2.0">', false],
  ['application/xml', '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', true],
  ['text/html', '%PDF-1.7', false],
  ['text/html', '\x89PNG\r\n', false],
  ['text/html', 'PK\x03\x04\x14\0', false],
  ['text/html', 'abc\0\0\0def', false],
  ['text/html', '\xff\xfe<\0!\0', true],
  ['application/pdf', PAGE, false],
  ['audio/mpeg', PAGE, false],
  ['image/svg+xml', '<svg>', false],
  ['application/json', '{}', false],
])('%s %j: %s', (type, start, expected) => {
  expect(isPage(type, Buffer.from(start, 'latin1'))).toBe(expected)
  if (expected) expect(mayBePage(type)).toBe(true)
})
