import { isValidElement, type ReactNode } from 'react';

const BLOCKS = new Set<unknown>(['p', 'li', 'ol', 'ul', 'div']);

/** The words of an answer, without its markup. */
export function textOf(node: ReactNode): string {
  return wordsOf(node).replace(/\s+/g, ' ').trim();
}

function wordsOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(wordsOf).join('');
  if (!isValidElement<{ children?: ReactNode }>(node)) return '';
  const words = wordsOf(node.props.children);
  return BLOCKS.has(node.type) ? ` ${words} ` : words;
}
