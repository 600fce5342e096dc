export const timezones = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'] as const;
export type Timezone = (typeof timezones)[number];
