/** Atom 1.0 (RFC 4287) and 0.3, which had other names for some elements. */
import { createVocabulary } from './vocabulary.ts'

export const ATOM = createVocabulary('atom', {
  entry: {
    id: ['id', 'guid', 'dc:identifier'],
    title: ['title', 'dc:title', 'media:title'],
    summary: ['summary', 'description', 'dc:description', 'media:description', 'itunes:summary'],
    content: ['content', 'content:encoded', 'body', 'xhtml:body', 'xhtml:div'],
    published: ['published', 'issued', 'pubdate', 'dcterms:issued', 'dc:date', 'created', 'dcterms:created'],
    updated: ['updated', 'modified', 'dcterms:modified'],
    author: ['author', 'dc:creator', 'dc:author', 'itunes:author'],
    contributor: ['contributor', 'dc:contributor'],
    category: ['category', 'dc:subject', 'itunes:category', 'media:category'],
    keywords: ['itunes:keywords', 'media:keywords'],
    rights: ['rights', 'copyright', 'dc:rights', 'media:copyright'],
    image: ['media:thumbnail', 'itunes:image'],
    comments: ['comments'],
    commentsFeed: ['wfw:commentrss'],
    commentCount: ['thr:total', 'slash:comments'],
    duration: ['itunes:duration'],
  },
  feed: {
    id: ['id', 'dc:identifier'],
    title: ['title', 'dc:title'],
    description: ['subtitle', 'tagline', 'description', 'info', 'dc:description', 'itunes:summary'],
    published: ['published', 'issued', 'pubdate', 'dcterms:issued'],
    updated: ['updated', 'modified', 'dcterms:modified', 'lastbuilddate', 'dc:date'],
    author: ['author', 'dc:creator', 'dc:author', 'itunes:author'],
    category: ['category', 'dc:subject', 'itunes:category'],
    keywords: ['itunes:keywords'],
    rights: ['rights', 'copyright', 'dc:rights'],
    language: ['language', 'dc:language'],
    generator: ['generator'],
    icon: ['icon'],
    image: ['logo', 'itunes:image', 'image'],
  },
})
