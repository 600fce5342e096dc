/** Support contacts. */

export const supportMailbox = 'support@handstamp.example';
export const supportAccount = {
  name: '@handstamp',
  network: 'Mastodon',
  url: 'https://social.handstamp.example/@handstamp',
};

/** The link to the page that emails them again. */
export const lostTickets = 'Lost your tickets?';
