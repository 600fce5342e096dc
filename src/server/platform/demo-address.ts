/** The demo organizer's email address, at a domain that receives no email. */
export const DEMO_ADDRESS = 'demo@handstamp.example';
