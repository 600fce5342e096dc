/** Finding tickets whose email is lost. */
export const findTicketsPage = {
  title: 'Find your tickets',
  lead: "Enter the email you ordered with. We'll send you links to your tickets for upcoming events.",
  email: 'Your email',
  button: 'Email me my tickets',
  busy: 'Sending…',
  failed: "We couldn't send the email. Please try again.",
  next: 'It can take a minute. Nothing? Check spam, or try another address you may have used.',
  description: 'Lost the email with your tickets? We send you the links again.',
};

export const myTicketsSent = 'If that address has tickets, the email is on its way.';
