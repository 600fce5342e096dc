import { isValidElement, type ReactNode } from 'react';

const BLOCKS = new Set<unknown>(['p', 'li', 'ol', 'ul', 'div']);

/** Text of an answer without its markup. */
export function textOf(node: ReactNode): string {
  return rawText(node).replace(/\s+/g, ' ').trim();
}

function rawText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(rawText).join('');
  if (!isValidElement<{ children?: ReactNode }>(node)) return '';
  const text = rawText(node.props.children);
  return BLOCKS.has(node.type) ? ` ${text} ` : text;
}
