import type { ReactNode } from 'react';
import type { RichPart } from '#contract/rich-text.ts';

/** An element of a text that the server has read. Search engines don't count its links as ours. */
export function shown(part: RichPart, key: number): ReactNode {
  if (typeof part === 'string') return part;
  const { is: Element, href, start, parts } = part;
  return (
    <Element key={key} {...{ href, start, rel: href && 'nofollow noopener ugc' }}>
      {parts.map(shown)}
    </Element>
  );
}
