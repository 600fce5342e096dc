/** Where it matters whose data the screen shows. */
const ORGANIZERS_SCREEN = /^\/(?:profile|money|organization|events|door|dashboard|change-email)\b/i;

export const isOrganizersScreen = (pathname: string): boolean => ORGANIZERS_SCREEN.test(pathname);
