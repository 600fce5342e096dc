/** Pages of organizations. */
import { editOrganizationPage, uploadLogo } from '#contract/app/sales/organizer-page.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { Answer, Visitor } from './http-visitor.ts';
import { eventOnSale, expectOk } from './people.ts';
import type { TestApp } from './test-app.ts';

let pages = 0;

/** An organization with a page that lists one event. */
export async function openPage(
  app: TestApp,
  page: InputOf<typeof editOrganizationPage> = {},
  event: Parameters<typeof eventOnSale>[1] = {},
) {
  const organizer = await eventOnSale(app, event);
  const slug = page.slug ?? `cooperage-${++pages}`;
  expectOk(await organizer.visitor.call(editOrganizationPage, { ...page, slug }));
  return { ...organizer, slug };
}

export function sendLogo(by: Visitor, files: readonly Uint8Array[]): Promise<Answer<ReplyOf<typeof uploadLogo>>> {
  const body = new FormData();
  for (const content of files) body.append('logo', new Blob([new Uint8Array(content)]), 'logo.png');
  return by.request(uploadLogo.path, { method: 'POST', body });
}
