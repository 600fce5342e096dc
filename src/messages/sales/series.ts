/** Series of dates. */

export const seriesFields = {
  subtitle: 'Subtitle',
  subtitleHint: 'Optional. Tells this date from the others of the series.',
};
