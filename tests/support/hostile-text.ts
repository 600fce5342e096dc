/** An organizer who enters markup, code and invisible characters in every text field. */
import { saveAccountInfo } from '#contract/app/accounts.ts';
import { createEvent } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { accountInfo, eventForm, expectOk, onboardedOrganizer, type Site } from './people.ts';

/** Each would call `boom()` if treated as markup or code. */
export const hostile = {
  title: '</script><img src=x onerror=boom()>',
  description:
    '<svg onload=boom()>\n</title><script>boom()</script>\n{{777*777}} ${777*777} <%= 777*777 %>\njavascript:boom()',
  street: '"><iframe srcdoc="<script>boom()</script>">',
  city: "'-boom()-'",
  ticketName: '<a href=javascript:boom()>Free</a>',
  ticketDescription: '<style>*{display:none}</style>"onmouseover="boom()',
  longName: 'W'.repeat(50),
  organizationName: '--><script>boom()</script><b>"\'&amp;',
  organizationBio: `<img src=x onerror=boom()> ${'W'.repeat(460)}`,
  firstName: '<img src=x onerror=boom()>',
} as const;

export async function hostileEvent(site: Site, change: Partial<InputOf<typeof createEvent>> = {}) {
  const organizer = await onboardedOrganizer(site);
  const { firstName, organizationName, organizationBio } = hostile;
  const account = { ...accountInfo, firstName, lastName: firstName, organizationName, organizationBio };
  expectOk(await organizer.visitor.call(saveAccountInfo, account));
  const form = eventForm(site, {
    title: hostile.title,
    description: hostile.description,
    street: hostile.street,
    city: hostile.city,
    tickets: [hostile.ticketName, hostile.longName].map((ticketName) => ({
      ticketName,
      ticketDescription: hostile.ticketDescription,
      ticketPrice: 24,
      ticketQuantity: 100,
    })),
    ...change,
  });
  return { ...organizer, ...expectOk(await organizer.visitor.call(createEvent, form)) };
}
