/** Support views an organization. */
import { VIEWING_MINUTES } from '#domain/limits.ts';

export const viewingTexts = {
  started: `You see what they see, for ${VIEWING_MINUTES} minutes. Their owners were emailed.`,
  ended: 'You are back in your own organization.',
  title: 'View as an organization',
  why: `You see what its owners see for ${VIEWING_MINUTES} minutes, and can change nothing. We email them, and it is in their activity.`,
  organization: 'Organization ID or email of an owner',
  submit: 'View as',
  failed: "We couldn't open it. Please try again.",
  banner: (organization: string | null, until: string) =>
    `You are viewing ${organization ?? 'an organization'} as support until ${until}. You can't change anything.`,
  end: 'Stop viewing',
};

export const viewingErrors = {
  'auth.view-only': 'You are viewing as support.',
  'view-as.unknown-organization': 'No organization has this ID, and no owner this email address.',
};
