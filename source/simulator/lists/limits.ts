/** Prefix lengths of the networks in IP lists, by IP version. */
export const listNetworkBits = {4: {min: 8, max: 32}, 6: {min: 4, max: 128}} as const;

/** Maximum length of a list name. */
export const maxListNameLength = 50;

/** Maximum number of items in all lists of an account. */
export const maxListItems = 10_000;

/** Maximum number of lists in an account. */
export const maxAccountLists = 10;
