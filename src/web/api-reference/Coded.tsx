/** A text with `names` between backticks. */
export function Coded({ text }: { text: string }) {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? <code key={part}>{part.slice(1, -1)}</code> : part));
}
