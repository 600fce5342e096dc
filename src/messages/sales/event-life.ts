/** Drafts, and publishing, taking down and duplicating events. */
import { DRAFTS_MAX } from '#domain/limits.ts';
import { plural } from '#messages/format.ts';
import { startInPast } from '#messages/forms.ts';

export const eventTakenDown = 'The event is a draft again.';
export const draftDeleted = 'Draft deleted';

export const eventLifeErrors = {
  'event.has-sales':
    "Someone has tickets for this event or is buying them, so it can't be taken down. You can cancel it.",
  'event.is-draft': 'This event is a draft. Publish it first.',
  'event.is-published': 'This event is published. Take it down first.',
  'event.start-in-past': startInPast,
  'event.too-many-active': ({ plan, max }: { plan: string; max: number }) =>
    `The ${plan} plan has ${plural(max, { one: '# active event', other: '# active events' })}. Wait until one has ended, or cancel one, to publish another.`,
  'event.too-many-drafts': `You can have up to ${DRAFTS_MAX} drafts. Delete one to add another.`,
  'event.under-review': "We're looking into this event, so it can't be deleted.",
};

/** Above the page of a draft. */
export const previewBanner = {
  label: 'Draft',
  text: 'Only your team sees this page. Nothing can be bought until you publish.',
  publish: 'Publish',
  back: 'Your events',
  failed: "We couldn't publish it. Check your connection and try again.",
};

/** Buttons of an event, and what they ask before they act. */
export const lifeActions = {
  preview: 'Preview',
  publish: 'Publish',
  published: 'Event published',
  publishMeans: (title: string) => `Everyone with the link can see ${title} and buy tickets.`,
  affiliateCode: 'Affiliate code (optional)',
  duplicate: 'Duplicate',
  duplicated: (title: string) => `${title} was copied as a draft, on its next date.`,
  takeDown: 'Take down',
  takeDownMeans:
    'The event becomes a draft, its page answers "Event not found", and its attendant code ends. You can publish it again.',
  keep: 'Keep it published',
  deleteDraft: 'Delete draft',
  deleteMeans: (title: string) => `${title} is deleted with its ticket types, questions, promo codes and photos.`,
  keepDraft: 'Keep the draft',
  saveDraft: 'Save as draft',
  saved: 'Draft saved. Only your team sees it.',
};
