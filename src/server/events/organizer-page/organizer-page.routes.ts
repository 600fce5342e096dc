import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/organizer-page.ts';
import { logoSaved, pageSaved } from '#messages/sales/page-settings.ts';
import { successorOf } from '#server/accounts/page/organization-page.ts';
import { sendPublished } from '#server/events/page/event-page.routes.ts';
import { readLook } from '#server/events/page/look.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { editOrganizationPage, showOrganizationPage, uploadLogo } from './edit-organization-page.ts';
import type { PublishedListings } from './published-listings.ts';

/** The address names the content. */
const LOOK_HEADERS = {
  'content-type': 'text/css; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
};
/** Pages of people: of those that have a secret or personal data in their address, or lead nowhere without it. */
const PRIVATE_PATHS = [
  '/api/',
  '/checked-in/',
  '/checkout/',
  '/contact/',
  '/dashboard',
  '/door/',
  '/events/',
  '/order',
  '/organization/',
  '/profile',
  '/privacy/',
  '/refund/',
  '/report/',
  '/reset-password/',
  '/scanner',
  '/success',
  '/ticket',
];
const ROBOTS = ['User-agent: *', ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`)];

export function organizerPageRoutes(
  app: FastifyInstance,
  deps: Deps,
  { organizers, series, sitemaps }: PublishedListings,
): void {
  mount(app, contract.organizationPage, (_input, { organizer }) => showOrganizationPage(deps, organizer));

  mount(app, contract.editOrganizationPage, async (input, { organizer }) => {
    await editOrganizationPage(deps, organizer, input);
    return { msg: pageSaved };
  });

  mount(app, contract.uploadLogo, async (_input, { organizer, files }) => ({
    msg: logoSaved,
    logo: await uploadLogo(deps, organizer, files),
  }));

  app.get<{ Params: { slug: string } }>('/o/:slug/calendar.ics', async (request, reply) => {
    const slug = request.params.slug.toLowerCase();
    const file = await organizers.calendars.get(slug);
    if (file) return sendPublished(request, reply, file);
    const successor = await successorOf(deps.db, slug, deps.clock.now());
    if (successor === null) throw new AppError('page.not-found');
    return reply.redirect(`/o/${successor}/calendar.ics`, 302);
  });

  app.get<{ Params: { seriesId: string } }>('/series/:seriesId/calendar.ics', async (request, reply) => {
    const file = await series.calendars.get(request.params.seriesId);
    if (!file) throw new AppError('page.not-found');
    return sendPublished(request, reply, file);
  });

  app.get<{ Params: { file: string } }>('/look/:file', async ({ params }, reply) => {
    const hash = /^([\w-]{22})\.css$/.exec(params.file)?.[1];
    const css = hash === undefined ? null : await readLook(deps.db, hash);
    if (css === null) throw new AppError('page.not-found');
    return reply.headers(LOOK_HEADERS).send(css);
  });

  app.get<{ Querystring: { page?: string } }>('/sitemap.xml', async (request, reply) => {
    const { page } = request.query;
    const file = page === undefined || /^[1-9]\d{0,3}$/.test(page) ? await sitemaps.get(page ?? '0') : null;
    if (!file) throw new AppError('page.not-found');
    return sendPublished(request, reply, file);
  });

  app.get('/robots.txt', async (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' })
      .send(`${ROBOTS.join('\n')}\n\nSitemap: ${deps.publicUrl}/sitemap.xml\n`),
  );
}
