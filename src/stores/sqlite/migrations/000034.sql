-- Long texts of entries are packed when they are old (pack-entries.ts), and are bytes then: here stand those that are text still.

CREATE INDEX entries_unpacked ON entries (seen_at) WHERE typeof(content) = 'text' AND octet_length(content) >= 1000;
