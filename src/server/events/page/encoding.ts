/** Which of our encodings a visitor can read, by the header in which they say so. */

export type Encoding = 'br' | 'gzip' | 'identity';

/** Best first. */
const COMPRESSED = ['br', 'gzip'] as const;
/** Browsers send a handful of different headers; whoever makes up more gets theirs read each time. */
const HEADERS_KNOWN = 64;
const known = new Map<string, Encoding>();

export function encodingFor(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  const before = known.get(header);
  if (before !== undefined) return before;
  const encoding = read(header);
  if (known.size < HEADERS_KNOWN) known.set(header, encoding);
  return encoding;
}

function read(header: string): Encoding {
  const accepted = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    accepted.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const rest = accepted.get('*') ?? 0;
  return COMPRESSED.find((encoding) => (accepted.get(encoding) ?? rest) > 0) ?? 'identity';
}
