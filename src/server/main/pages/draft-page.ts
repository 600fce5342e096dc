/** The page of a draft, for the members who see it: that of the published event, with a banner above it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { publishEvent } from '#contract/app/sales/event-life.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { previewBanner as text } from '#messages/sales/event-life.ts';
import { authenticate } from '#server/accounts/authenticate.ts';
import type { RenderEvent } from '#server/events/page/page-cache.ts';
import { readDraft } from '#server/events/page/read-event-page.ts';
import type { Deps } from '#server/platform/deps.ts';
import { cookiesOf } from '#server/platform/http/cookies.ts';

/** Null for anyone else, and for any other event. */
export type DraftPage = (request: FastifyRequest, reply: FastifyReply, eventId: string) => Promise<string | null>;

export function draftPages(
  deps: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'publicUrl'>,
  render: RenderEvent,
): DraftPage {
  return async (request, reply, eventId) => {
    const cookies = cookiesOf(request, reply, deps.publicUrl.startsWith('https:'));
    const member = await authenticate(deps, cookies.credentials());
    const draft = member && (await readDraft(deps, member, eventId));
    if (!draft) return null;
    const banner = bannerFor(eventId, { mayPublish: isAllowed(member, 'event.edit') });
    // Outside the screen, whose markup stays that of the published page.
    return render(eventId, draft).replace('<div id="root">', () => `${banner}<div id="root">`);
  };
}

function bannerFor(eventId: string, { mayPublish }: { mayPublish: boolean }): string {
  const publish = publishEvent.path.replace(':eventId', eventId);
  const button = mayPublish ? `<button type="button">${text.publish}</button>` : '';
  return [
    `<aside id="draft-banner" aria-label="${text.label}" data-publish="${publish}" data-failed="${text.failed}">`,
    '<link rel="stylesheet" href="/preview.css">',
    `<p><b>${text.label}</b> ${text.text}</p><div><a href="/profile">${text.back}</a>${button}</div><p role="alert"></p>`,
    '<script type="module" src="/preview.js"></script></aside>',
  ].join('');
}
