/** Maximum number of listed keys to watch: ten calls a read. */
export const maxListedKeys = 10_000;
