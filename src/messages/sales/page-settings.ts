/** The settings of an organization's page, and the fields of an event that concern it. */
import { LOGO_BYTES_MAX, SLUG_MAX, SLUG_MIN } from '#domain/limits.ts';

export const listingFields = {
  venueName: 'Venue name',
  venueNameHint: 'Optional, such as The Cooperage.',
  isListed: 'Listed on your page',
  isListedHint: 'People find it on your page and in search. Off: only people with the link see it.',
};

export const descriptionField = {
  label: 'Description',
  hint: 'Use **bold**, *italics* and [links](https://example.com). Lines that start with - make a list.',
  marks: 'Formatting',
  bold: 'Bold',
  link: 'Link',
  list: 'List',
  /** The words of a mark where nothing is selected. */
  samples: { bold: 'bold text', italics: 'italics', link: 'link text' },
};

const hardToRead = ({ suggestion }: { suggestion: string }) =>
  `Text on this color is hard to read. The closest readable color is ${suggestion.toUpperCase()}.`;

export const logoTooLarge = `A logo can be at most ${LOGO_BYTES_MAX / 1024 / 1024} MB.`;

export const pageSettings = {
  title: 'Public page',
  lead: 'One address for everything you have coming up.',
  noName: 'Name your organization first',
  noNameText: 'Your page shows its name. Add it under Update Info in your profile.',
  address: 'Address',
  addressHint: `${SLUG_MIN} to ${SLUG_MAX} lowercase letters, digits and hyphens.`,
  moving: 'The old address leads here for 90 days.',
  website: 'Website',
  websiteHint: 'Optional. Starts with https://',
  accent: 'Accent color',
  accentHint: 'For links and buttons on your page and your events, such as #b3261e. Leave blank for our colors.',
  picker: 'Pick an accent color',
  preview: 'Preview',
  light: 'Light mode',
  dark: 'Dark mode',
  sampleTitle: 'Friday night',
  sampleLink: 'A link',
  sampleButton: 'Buy tickets',
  hardToRead,
  suggest: (color: string) => `Use ${color.toUpperCase()}`,
  sampleLabel: (mode: string, color: string) => `${mode}: a link and a button in ${color.toUpperCase()}`,
  isPublic: 'Public',
  isPublicHint: 'Off: the page answers "not found". Your events keep their own pages.',
  logo: 'Logo',
  logoHint: `JPEG, PNG or WebP, at most ${LOGO_BYTES_MAX / 1024 / 1024} MB. Square works best.`,
  chooseLogo: 'Choose a logo',
  replaceLogo: 'Replace the logo',
  removeLogo: 'Remove the logo',
  noLogo: 'No logo yet',
  save: 'Save',
  saving: 'Saving…',
  open: 'Open your page',
  hidden: 'Only you see this: your page is not public.',
  back: 'Back to your profile',
  notLoaded: "We couldn't load your page's settings.",
  failed: "We couldn't save your page. Please try again.",
};

export const pageSaved = 'Page saved';
export const logoSaved = 'Logo saved';

export const organizationPageErrors = {
  'page.accent-contrast': hardToRead,
  'page.logo-missing': 'Please select a file to upload.',
  'page.logo-too-large': logoTooLarge,
  'page.no-name': 'Name your organization first: its page shows the name.',
  'page.slug-invalid': `An address has ${SLUG_MIN} to ${SLUG_MAX} lowercase letters, digits and hyphens.`,
  'page.slug-taken': 'This address is taken.',
};
