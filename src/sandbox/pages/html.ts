/** HTML template tag. Escapes every value except `Markup`. */

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type TemplateValue = string | number | Markup | null | false | readonly Markup[];

export function html(strings: TemplateStringsArray, ...values: TemplateValue[]): Markup {
  return new Markup(
    strings.reduce((output, string, index) => output + renderValue(values[index - 1] ?? null) + string),
  );
}

function renderValue(value: TemplateValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(renderValue).join('');
  return escapeHtml(String(value));
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
