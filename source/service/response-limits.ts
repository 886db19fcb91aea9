/**
 * Maximum size of a response in bytes, by kind; larger ones are dropped, so that no service can fill the
 * memory. A value is as large as the key-value store accepts. A listing holds at most 1,000 keys of 512 bytes
 * with 1,024 bytes of metadata each, and a ruleset at most 1,000 rules with expressions of 4 KB.
 */
export const responseLimits = {
	value: 26_214_400,
	listing: 16 * 1024 * 1024,
	other: 4 * 1024 * 1024,
} as const;
