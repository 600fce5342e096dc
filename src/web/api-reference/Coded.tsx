/** A text with `names` between backticks. */
export function Coded({ text }: { text: string }) {
  return text
    .split(/(`[^`]+`)/)
    .map((part, place) => (part.startsWith('`') ? <code key={`${place} ${part}`}>{part.slice(1, -1)}</code> : part));
}
