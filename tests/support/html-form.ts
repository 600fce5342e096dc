/** Submits a plain HTML form, as a browser without JavaScript does. */
import type { Visitor } from './http-visitor.ts';

type Submit = (values: Record<string, string>) => Promise<Response>;

/**
 * Opens the page, keeps its hidden fields, adds `values`, and submits with the button whose text starts with `button`.
 */
export async function submitForm(
  visitor: Visitor,
  url: string,
  values: Record<string, string>,
  button?: string,
): Promise<Response> {
  const submit = await openForm(visitor, url, button);
  return submit(values);
}

/** Opens the page, and resolves to what submits its form. */
export async function openForm(visitor: Visitor, url: string, button?: string): Promise<Submit> {
  const page = await visitor.fetch(url);
  const html = await page.text();
  const form = formWith(html, button);
  if (!form)
    throw new Error(`no form${button ? ` with the button "${button}"` : ''} at ${url}:\n${html.slice(0, 2000)}`);

  const pressed = button ? buttonOf(form, button) : undefined;
  const action = attribute(/<form[^>]*>/i.exec(form)?.[0] ?? '', 'action') ?? url;
  return (values) => {
    const fields = new URLSearchParams({ ...hiddenFields(form), ...values });
    if (pressed?.name) fields.set(pressed.name, pressed.value ?? '');
    return visitor.fetch(new URL(action, page.url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: fields.toString(),
    });
  };
}

function formWith(html: string, button: string | undefined): string | undefined {
  const forms = html.match(/<form[^>]*method="post"[\s\S]*?<\/form>/gi) ?? [];
  return button === undefined ? forms[0] : forms.find((form) => buttonOf(form, button) !== undefined);
}

function buttonOf(form: string, text: string) {
  for (const [, tag = '', content = ''] of form.matchAll(/<button([\s\S]*?)>([\s\S]*?)<\/button>/gi)) {
    const label = content.replace(/<[^>]+>/g, '').trim();
    if (label.startsWith(text)) return { name: attribute(tag, 'name'), value: attribute(tag, 'value') };
  }
  return undefined;
}

function hiddenFields(form: string): Record<string, string> {
  const inputs = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/gi)].map(([tag]) => tag);
  return Object.fromEntries(inputs.map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']));
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag)?.[1]?.replaceAll('&amp;', '&');
}
