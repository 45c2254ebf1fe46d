/** Rises with every change that an older page or host would not understand. Apart, so that the page takes no zod. */
export const PROTOCOL_VERSION = 2;
