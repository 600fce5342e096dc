/** Notices of one subject that wait at the same time are one job. The sweep's query spells the same key. */
export const noticeJobKey = (subject: string): string => `notice ${subject}`;
